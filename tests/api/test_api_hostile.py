"""Whatever is asked, the answer is a row, a list, or a clear refusal. The proof asks much more of the same."""

from hypothesis import given
from hypothesis import strategies as st

from tests.api import hostile
from tests.api.api_world import ApiTestCase


class HostileTests(ApiTestCase):
    def test_nothing_but_answers_and_clear_refusals(self) -> None:
        @given(hostile.requests)
        def ask(request: tuple) -> None:
            response = hostile.sent(self.client, request)
            assert not hostile.wrong(response), (request, response.status_code, response.content[:300])

        ask()

    def test_every_parameter_takes_every_nasty_value_apart(self) -> None:
        @given(st.sampled_from(hostile.PARAMETERS), st.sampled_from(hostile.NASTY))
        def ask(name: str, value: str) -> None:
            response = hostile.sent(self.client, ("evidence/", [("fields", "identifier"), (name, value)], {}))
            assert not hostile.wrong(response), (name, value, response.content[:300])

        ask()
