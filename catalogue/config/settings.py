"""Settings, one file for every place the project runs in.

Defaults suit one machine with nothing installed: SQLite below `var/`, an embedded broker that `manage.py demo` starts.
`DATABASE_URL` and `REDIS_URL` switch to PostgreSQL and to a Redis-protocol server of your own.
"""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from csp.constants import NONE, SELF
from kombu import Queue

from catalogue.config import environment
from catalogue.config.sqlite import OwnersConnection

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = environment.folder("VAR_DIR", BASE_DIR / "var", of_owner=True)

DEBUG = environment.flag("DEBUG", False)
DATABASE_URL = environment.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")
REDIS_URL = environment.text("REDIS_URL", "")
_IS_SHARED = REDIS_URL.startswith(("redis://", "rediss://", "unix://"))  # and no broker of another kind
_SERVERS = {"DATABASE_URL": not DATABASE_URL.startswith("sqlite"), "REDIS_URL": _IS_SHARED}
SECRET_KEY = environment.kept_secret(
    "SECRET_KEY", VAR_DIR / "secret_key", shared=[name for name, is_named in _SERVERS.items() if is_named], trying=DEBUG
)
if not DEBUG:
    environment.secret("DATABASE_URL", urlsplit(DATABASE_URL).password or "")
    environment.secret("REDIS_URL", urlsplit(REDIS_URL).password or "")
ALLOWED_HOSTS = environment.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1],testserver")
CSRF_TRUSTED_ORIGINS = environment.words("CSRF_TRUSTED_ORIGINS", "")
SITE_URL = environment.text("SITE_URL", "")
# To whom holes are reported, addresses of pages or of letters: /.well-known/security.txt names them.
SECURITY_CONTACT = environment.words("SECURITY_CONTACT", "")

# Behind a proxy of ours that speaks TLS and says so. Without it the site is plain HTTP, for one machine.
HTTPS = environment.flag("HTTPS", False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
HSTS_SECONDS = environment.number("HSTS_SECONDS", 365 * 24 * 3600)
SECURE_HSTS_SECONDS = HSTS_SECONDS if HTTPS else 0
SECURE_REDIRECT_EXEMPT = ["^(livez|healthz|readyz|metrics)$"]  # whoever watches this machine asks without a proxy
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.flag("HSTS_SUBDOMAINS", True)
SECURE_HSTS_PRELOAD = environment.flag("HSTS_PRELOAD", False)
# A browser's preload list binds a whole domain for years: whoever owns the domain decides it, no check. The framework's
# middleware against forged requests (W003) is there as our own kind of it.
SILENCED_SYSTEM_CHECKS = ["security.W021", "security.W003"]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "rest_framework",
    "corsheaders",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "simple_history",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "simulator",
    "catalogue",
    *(["tools"] if (BASE_DIR / "tools").is_dir() else []),  # commands of developers; a deployment may leave them out
]

MIDDLEWARE = [
    "catalogue.web.metrics.RequestMetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "catalogue.web.middleware.PolicyMiddleware",
    "catalogue.web.middleware.StaticMiddleware",
    "catalogue.api.limits.CrossOriginReadingMiddleware",
    "catalogue.api.limits.LimitsMiddleware",
    "catalogue.web.middleware.CompressionMiddleware",
    "catalogue.web.conditional.ConditionalMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",  # says how long a body is: what changes bodies stands below it
    "catalogue.pages.identifiers.LinkedDataMiddleware",
    "catalogue.web.middleware.CsrfMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "catalogue.web.middleware.SecondFactorMiddleware",
    "catalogue.web.routes.RightsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "catalogue.pages.errors.WrongAddressMiddleware",
    "axes.middleware.AxesMiddleware",
]

# What a page may load: nothing of another machine, and no script or style that stands in the page itself; what differs
# from it stands in catalogue.web.middleware.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Scripts of other sites may read the API, without credentials; nothing can be asked for that is not plain reading. What
# else they may read, the routes say: `catalogue.api.limits.CrossOriginReadingMiddleware`.
CORS_URLS_REGEX = "^/api/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ("GET", "HEAD", "OPTIONS")
CORS_ALLOW_HEADERS = (
    "Accept", "Authorization", "Content-Type", "If-Modified-Since", "If-None-Match", "If-Range", "Range",
)  # fmt: skip
CORS_EXPOSE_HEADERS = (
    "Accept-Ranges", "Content-Disposition", "Content-Range", "ETag", "Last-Modified", "Link", "Location", "RateLimit",
    "RateLimit-Policy", "Retry-After",
)  # fmt: skip

ROOT_URLCONF = "catalogue.config.urls"
WSGI_APPLICATION = "catalogue.config.wsgi.application"
ASGI_APPLICATION = "catalogue.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "catalogue.web.middleware.token_for_sessions",
            ],
        },
    },
]


def _database() -> dict[str, Any]:
    database: dict[str, Any] = dict(dj_database_url.parse(DATABASE_URL))
    if database["ENGINE"] == "django.db.backends.sqlite3":
        # Workers and the site write to one file: readers never wait, writers queue instead of failing. Each thread of
        # the site holds a connection, so it keeps little of the file, which the system has in memory anyway.
        database["OPTIONS"] = {
            "factory": OwnersConnection,
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-256;",
        }
    else:
        database["CONN_HEALTH_CHECKS"] = True
    database["CONN_MAX_AGE"] = 60  # to open SQLite anew costs some milliseconds too: it reads its tables and triggers
    return database


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
FIXTURE_DIRS = [BASE_DIR / "fixtures"]

# Guesses of a password are counted for a name together with an address; addresses are kept of failures only.
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AXES_FAILURE_LIMIT = 10
AXES_HANDLER = "catalogue.admin.site.LoginThrottle"
GUESSES_OF_AN_ADDRESS, GUESSES_OF_A_NAME = 50, 200  # in total, whatever the name or the address
AXES_COOLOFF_TIME = timedelta(minutes=15)
# What is refused without a look at the password counts for nothing: one address cannot fill the total of a name.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False  # `catalogue.admin.site` shows what is kept
AXES_CLIENT_IP_CALLABLE = "catalogue.admin.site.counted_address"
AXES_LOCKOUT_CALLABLE = "catalogue.admin.site.locked"
AXES_VERBOSE = False
# Whether whoever works here needs a code besides the password; `manage.py second_factor USER` makes one.
SECOND_FACTOR = environment.flag("SECOND_FACTOR", False)
OTP_TOTP_ISSUER = "Evidence of Traditional Games"
# Somebody who works here comes back daily; a browser that was left open somewhere is out after a fortnight at most.
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY, SESSION_COOKIE_SAMESITE, CSRF_COOKIE_SAMESITE = True, "Lax", "Lax"
X_FRAME_OPTIONS = "DENY"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # of older accounts, until they next log in
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"

# Releases of the dataset, a folder each, as `export_dataset` writes them; the site offers them at /data/.
DATASETS_DIR = environment.folder("DATASETS_DIR", VAR_DIR / "datasets")
# What editors upload: pictures of sources and artefacts, as they were written anew here. It goes into backups.
MEDIA_ROOT = str(environment.folder("MEDIA_ROOT", VAR_DIR / "media"))
PICTURE_MB, PICTURE_MEGAPIXELS = 10, 40  # the most that a picture may have as it is sent
PICTURE_SHOWN_PIXELS = 1_200  # of the longer side, as pages show it
PICTURES_OF_A_RECORD = environment.number("PICTURES_OF_A_RECORD", 12)
PICTURES_A_DAY = environment.number("PICTURES_A_DAY", 100)  # from one editor
PICTURES_MB = environment.number("PICTURES_MB", 5_000)  # all together
# Tables and archives that were asked for and never change. Where the proxy sends what stands below VAR_DIR, if it does.
FILES_DIR = VAR_DIR / "files"
SENDFILE_URL = environment.text("SENDFILE_URL", "")

# Pages name static files below a digest of them all, and browsers keep those for a year; sheets and scripts name each
# other by relative addresses, and so below the same digest. Plain addresses lead to the same files.
STATIC_PREFIX = "/static/"
STATIC_URL = STATIC_PREFIX if DEBUG else f"{STATIC_PREFIX}{environment.digest_of_files(BASE_DIR / 'catalogue/static')}/"
STATIC_ROOT = environment.folder("STATIC_ROOT", VAR_DIR / "static")
WHITENOISE_USE_FINDERS = True
WHITENOISE_STATIC_PREFIX = STATIC_PREFIX

# The API speaks JSON, and shows itself to a browser. Everybody may read; the service that takes batches bounds them.
REST_FRAMEWORK = {
    "DEFAULT_PARSER_CLASSES": ["catalogue.api.formats.SmallJSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "catalogue.api.formats.Negotiation",
    "DEFAULT_FILTER_BACKENDS": ["catalogue.api.lists.StrictFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "catalogue.api.lists.Pages",
    "DEFAULT_SCHEMA_CLASS": "catalogue.api.description.CatalogueSchema",
    "EXCEPTION_HANDLER": "catalogue.api.problems.answer_to_error",
    "COERCE_DECIMAL_TO_STRING": False,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Evidence of Traditional Games",
    "DESCRIPTION": "Records of traditional games, the rules read from them, and figures of simulated games. "
    "The licence is that of the program; what it holds belongs to different people, as the terms of service tell.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "catalogue.api.description.complete",
    ],
    "AUTHENTICATION_WHITELIST": [],  # nobody needs a key; an editor's session only lifts a bound
    "ENUM_NAME_OVERRIDES": {
        "PlaceKind": "catalogue.models.Place.Kind",
        "ReadingKind": "catalogue.models.Reading.Kind",
        "PictureKind": "catalogue.models.Picture.Kind",
        "ObservedPlaces": "catalogue.models.Observation.Of",
        "ObservationMeans": "catalogue.models.Observation.Means",
        "ObservationCertainty": "catalogue.models.Observation.Certainty",
        "WearGrade": "catalogue.models.observations.Grade",
        "GameNameKind": "catalogue.models.GameName.Kind",
        "CitationRole": "catalogue.models.Citation.Role",
        "BatchState": "simulator.models.Batch.State",
        "ComparisonState": "catalogue.models.Comparison.State",
        "RequestedState": "catalogue.api.jobs.STATES",
        "BatchOrigin": "simulator.models.Batch.Origin",
        "BatchUntil": "simulator.models.Batch.Until",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "simulator.logs.Line"}, "json": {"()": "simulator.logs.JSONLine"}},
    "filters": {"strangers": {"()": "simulator.logs.Strangers"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "filters": ["strangers"],
            "formatter": environment.one_of("LOG_FORMAT", "line", "json"),
        }
    },
    "root": {"handlers": ["stderr"], "level": environment.text("LOG_LEVEL", "WARNING")},
}

# How often one address may ask the API; 0: as often as it likes. Tokens have bounds of their own.
API_REQUESTS_PER_MINUTE = environment.number("API_REQUESTS_PER_MINUTE", 300)
API_REQUESTS_PER_HOUR = environment.number("API_REQUESTS_PER_HOUR", 5_000)

# Celery: rows in the database are the truth, messages only point at them, so nothing is kept of a result.
# Where requests are counted: one place for all processes of the site. Without REDIS_URL each counts by itself.
# It is never the broker's database: what fills up or is emptied is only the cache.
CACHE_URL = environment.text("CACHE_URL", "") or (environment.next_database(REDIS_URL) if _IS_SHARED else "")
_SHARED_CACHE = {
    "BACKEND": "catalogue.config.caches.FailOpenRedisCache",
    "LOCATION": CACHE_URL,
    "KEY_PREFIX": "games",
    "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
}
_OWN_CACHE = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
# Pages as visitors without a session are sent them, and since when they are so: all processes of the site must see the
# same. An edit shows on the next request all the same; see catalogue.web.conditional.
KEEP_PAGES = environment.flag("KEEP_PAGES", True)
_PAGES_CACHE = {
    "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
    "LOCATION": VAR_DIR / "pages",
    "OPTIONS": {"MAX_ENTRIES": 4_000},
}
CACHES = {
    "default": _SHARED_CACHE if _IS_SHARED else _OWN_CACHE,
    "pages": _SHARED_CACHE if _IS_SHARED else _PAGES_CACHE,
}
CELERY_BROKER_URL = REDIS_URL or "redis://127.0.0.1:6379/0"
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# What somebody sits waiting for goes past the chunks of batches. A worker takes from both queues unless told otherwise.
CELERY_TASK_QUEUES = [Queue("celery", routing_key="celery"), Queue("interactive", routing_key="interactive")]
CELERY_TASK_ROUTES = {
    "simulator.think_reply": {"queue": "interactive"},
    "simulator.list_game": {"queue": "interactive"},
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Who asks for a batch waits for no broker that is away: recovery notifies the workers later.
CELERY_BROKER_TRANSPORT_OPTIONS = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0.1, "interval_max": 0.2}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False

# Who may see /readyz and /metrics: addresses or networks, and whoever sends the token.
WATCH_ADDRESSES = environment.networks("WATCH_ADDRESSES", "127.0.0.1,::1")
WATCH_TOKEN = environment.secret("WATCH_TOKEN", environment.text("WATCH_TOKEN", ""))
# Free disk below which the installation is not well, and says so.
DISK_FREE_MB = environment.number("DISK_FREE_MB", 500)

# Compiled kernels are kept between processes; the engine adds a folder per digest of its own source.
KERNEL_CACHE_DIR = environment.folder("KERNEL_CACHE_DIR", VAR_DIR / "kernels")

# Batches of games. A worker that is silent for this long has vanished, and its chunk goes to another one.
CHUNK_LEASE_SECONDS = environment.number("CHUNK_LEASE_SECONDS", 30, least=1)
RECOVERY_SECONDS = environment.number(
    "RECOVERY_SECONDS", environment.number("HEALER_SECONDS", 5, least=1), least=1
)  # HEALER_SECONDS: as it was called before
# Seconds of processor time that a chunk may take in a worker beside ten times what its games should take.
CHUNK_PROCESSOR_SECONDS = environment.number("CHUNK_PROCESSOR_SECONDS", 60, least=1)
# What visitors may ask for, in tenths of a microsecond of processor time as `measure_prices` measured it, about a turn
# of random play each: one address within an hour, and all of them waiting at once.
VISITOR_WORK_PER_HOUR = environment.number("VISITOR_WORK_PER_HOUR", 400_000_000)
VISITOR_WORK_QUEUED = environment.number("VISITOR_WORK_QUEUED", 1_200_000_000)
# Suggestions of readers that are taken within an hour: from one address, and from all of them.
SUGGESTIONS_PER_HOUR = environment.number("SUGGESTIONS_PER_HOUR", 10)
ALL_SUGGESTIONS_PER_HOUR = environment.number("ALL_SUGGESTIONS_PER_HOUR", 200)
# Drafts that visitors begin within an hour: from one address, and from all of them.
DRAFTS_PER_HOUR = environment.number("DRAFTS_PER_HOUR", 10)
ALL_DRAFTS_PER_HOUR = environment.number("ALL_DRAFTS_PER_HOUR", 200)
# Proxies of ours that every request passes through; each is trusted to write down the address it was called from.
TRUSTED_PROXIES = environment.number("TRUSTED_PROXIES", 0)
# These libraries look into the environment only, when they are first imported. A study's matrices have some hundred
# rows: a second thread of the linear algebra waits three times as long as the first one counts.
os.environ.setdefault("KERNEL_CACHE_DIR", str(KERNEL_CACHE_DIR))
os.environ.setdefault("MPLCONFIGDIR", str(environment.folder("MPLCONFIGDIR", VAR_DIR / "matplotlib")))
os.environ.setdefault("OPENBLAS_NUM_THREADS", environment.text("OPENBLAS_NUM_THREADS", "1"))
ENVIRONMENT_DIGEST = environment.digest()
