"""The recipes of the cookbook are carried out, against a server that really listens."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from django.conf import settings
from django.test import LiveServerTestCase
from markdown_it import MarkdownIt

from catalogue.models import Clause, Evidence

CLIENT = Path(settings.BASE_DIR) / "clients" / "python"
COOKBOOK = Path(settings.BASE_DIR) / "templates" / "docs" / "cookbook.md"


def recipes(language: str) -> str:
    """All code of one language, in the order in which it is printed: the first recipes are used by those below."""
    tokens = MarkdownIt("commonmark").parse(COOKBOOK.read_text(encoding="utf-8"))
    return "\n".join(token.content for token in tokens if token.type == "fence" and token.info == language)


class CookbookTests(LiveServerTestCase):
    holds = "played"

    def carried_out(self, command: list[str], language: str) -> str:
        environment = {**os.environ, "SITE": self.live_server_url, "PYTHONIOENCODING": "utf-8"}
        environment["PYTHONPATH"] = str(CLIENT)
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "recipes"
            script.write_text(recipes(language), encoding="utf-8")
            done = subprocess.run(
                [*command, str(script)], cwd=folder, env=environment, capture_output=True, text=True, timeout=120
            )
        assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
        return done.stdout

    @pytest.mark.by_turns
    def test_recipes_in_python(self) -> None:
        printed = self.carried_out([sys.executable], "python")
        for words in (
            "DLP.Evidence.692 Daramuti 1909",
            f"{Clause.objects.filter(basis='stated').count()} rules stand in a source",
            "DLP.Evidence.692 1909 ",
            "stated – ",
            "daramuti-ludii@2: ",
            "8 games; the middle one has 17.0 turns",
            "manage.py simulate daramuti-parker@1 --games 8 ",
            " running 0 % played",
            "@misc{",
            "place: no place has the slug 'sri-lnka' (nearest valid value: 'sri-lanka')",
        ):
            assert words in printed, (words, printed[-3000:])

    @pytest.mark.thorough
    @pytest.mark.skipif(not shutil.which("curl"), reason="needs curl")
    def test_recipes_in_the_shell(self) -> None:
        printed = self.carried_out(["bash", "-eu", "-o", "pipefail"], "sh")
        assert {*re.findall(r"(?:^|\})((?:DLP|ETG)[.\w]+)$", printed, re.MULTILINE)} == {
            *Evidence.objects.values_list("identifier", flat=True)
        }
        assert '"identifier":"DLP.Evidence.692"' in printed
        assert "identifier,date.as_printed," in printed
        assert "game,end,winners," in printed
        assert re.search(r"@\w+\{.*692", printed)

    @pytest.mark.skipif(not shutil.which("Rscript"), reason="needs Rscript with jsonlite")
    def test_recipes_in_r(self) -> None:
        printed = self.carried_out(["Rscript"], "r")
        assert "DLP.Evidence.692" in printed
        assert "stated" in printed
        assert "Median" in printed
