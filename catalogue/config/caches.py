"""The shared cache, that forgets where its server is away: what it keeps is never needed, only quicker at hand."""

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class FailOpenRedisCache(RedisCache):
    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as error:
            logger.warning("the cache does not answer: %s", error)
            return default

    def set(self, key: str, value: Any, *args: Any, **kwargs: Any) -> None:
        try:
            super().set(key, value, *args, **kwargs)
        except RedisError as error:
            logger.warning("the cache does not answer: %s", error)
