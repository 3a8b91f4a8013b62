"""What editors do comes to the same on PostgreSQL as on SQLite: words, previews, the desk, deletions."""

import pytest

from tests.services.conftest import OnBoth

pytestmark = pytest.mark.services

DO = """
import json, re
import django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from catalogue.models import Anchor, Claim, Evidence, Game, Reading, Study, Suggestion
client = Client()
client.force_login(User.objects.create_superuser("amara", password=None, first_name="Amara"))
game = Game.objects.create(name="A game", slug="a-game")
quotation = "He sows six. Then he sows six again."
record = Evidence.objects.create(identifier="X.1", type="Text", game=game, quotation=quotation)
Reading.objects.create(slug="a-doe", title="A, after Doe", game=game, authority="doe", kind="program", summary="x")
claim = Claim.objects.create(game=game, slug="long", title="It is long", text="x", judged_by="nothing", why_not="x")
Suggestion.objects.create(kind="problem", evidence=record, text="There is a slip.")
Study.every.create(id="0" * 16, game=game, terms={"games": 2}, batches=["0" * 16])
add = reverse("admin:catalogue_anchor_add") + f"?claim={claim.pk}"
words = {"claim": claim.pk, "evidence": record.pk, "field": "content", "stance": "supports"}
change = reverse("admin:catalogue_claim_change", args=[claim.pk])
title = {"game": game.pk, "slug": "long", "title": "It is short", "text": "x", "judged_by": "nothing", "why_not": "x",
         "tests": "[]", "limits": "", "position": 0, "anchors-TOTAL_FORMS": 0, "anchors-INITIAL_FORMS": 0}
answers = {}
def keep(name, answer):
    body = re.sub(r"(?s)<(script|style|nav|head)\\b.*?</\\1>", " ", answer.content.decode())
    answers[name] = [answer.status_code, " ".join(re.sub(r"<[^>]+>", " ", body).split())]
keep("twice", client.post(add, {**words, "exact": "sows six", "_look": "yes"}))
words |= {"exact": "sows six", "suffix": " again", "reason": "Doe says it"}
answers["saved"] = client.post(add, words).status_code
answers["anchor"] = list(Anchor.objects.values_list("key", "start", "end"))
keep("preview", client.post(change, {**title, "_preview": ""}))
claim.refresh_from_db()
answers["title"] = [claim.title, claim.history.count()]
Evidence.objects.update(quotation="He sows seven.")
keep("desk", client.get(reverse("admin:desk")))
keep("studies", client.get(reverse("admin:catalogue_requestedstudy_changelist")))
answers["deleted"] = client.post(reverse("admin:catalogue_claim_delete", args=[claim.pk]),
                                 {"post": "yes", "reason": "It says nothing"}).status_code
keep("gone", client.get("/claims/a-game/long/"))
answers["api"] = client.get("/api/v1/claims/a-game/long/").json()["status"]
answers["words"] = list(Anchor.history.filter(history_type="-").values_list("key", "history_change_reason"))
timed = re.compile(r"\\d+ \\w+ \\d{4}, \\d\\d:\\d\\d|\\d+ \\w{3} \\d{4}, \\d+:\\d+ [ap].m.")
print(timed.sub("then", json.dumps(answers)))
"""


@pytest.mark.thorough
def test_both_databases_do_the_same(on_both: OnBoth) -> None:
    expected, found = on_both.sqlite.python("-c", DO), on_both.postgresql.python("-c", DO)
    assert found == expected
    assert "give a prefix or a suffix" in expected["twice"][1]
    assert (expected["saved"], expected["anchor"]) == (302, [["claim/a-game/long/supports/editors-1", 21, 29]])
    assert "Preview." in expected["preview"][1]
    assert "It is short" in expected["preview"][1]
    assert expected["title"] == ["It is long", 1]
    for pile in ("Suggestions of readers: 1", "Broken anchors: 1", "Unchecked readings: 1", "Studies that failed: 1"):
        assert pile in expected["desk"][1]
    assert "failed" in expected["studies"][1]
    assert (expected["deleted"], expected["gone"][0], expected["api"]) == (302, 410, 410)
    assert "It says nothing" in expected["gone"][1]
    assert expected["words"] == [["claim/a-game/long/supports/editors-1", "It says nothing"]]
