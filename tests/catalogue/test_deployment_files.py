"""Units, containers and examples say the same: the same commands, variables that there are, names that exist."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings

from tests.services.deployment import DEPLOY, ROOT, unit_command

COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCUMENTED = set(re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "deploying.md").read_text("utf-8"), re.MULTILINE))
SAME = {"web": "games-web.service", "interactive": "games-interactive.service", "bulk": "games-bulk@.service"}


@pytest.mark.parametrize("service", SAME)
def test_a_container_runs_what_the_unit_runs(service: str):
    assert SERVICES[service]["command"] == unit_command(SAME[service])


def test_the_image_starts_as_the_site_does():
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r'^CMD \["(.*)"\]$', text, re.MULTILINE)[1].split('", "') == unit_command("games-web.service")


def test_every_variable_that_the_examples_set_is_documented():
    shown = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "environment.example").read_text("utf-8"), re.MULTILINE))
    contained = {name for service in SAME for name in SERVICES[service]["environment"]}
    assert shown | contained == (shown | contained) & DOCUMENTED
    assert {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "HTTPS", "TRUSTED_PROXIES"} <= shown & contained


def test_every_value_that_compose_asks_for_is_in_its_example():
    asked = set(re.findall(r"\$\{(\w+):\?\}", (DEPLOY / "compose.yaml").read_text(encoding="utf-8")))
    shown = set(re.findall(r"^(\w+)=", (DEPLOY / "compose.env.example").read_text(encoding="utf-8"), re.MULTILINE))
    assert asked == shown


def test_what_containers_name_is_there():
    for name, service in SERVICES.items():
        assert set(service.get("depends_on", ())) <= set(SERVICES), name
        for mount in service.get("volumes", ()):
            source = mount["source"] if isinstance(mount, dict) else mount.split(":")[0]
            if source.startswith("."):
                assert (DEPLOY / source).is_file(), mount
            elif not source.startswith("$"):
                assert source in COMPOSE["volumes"], mount
    assert (DEPLOY / SERVICES["web"]["build"]["context"] / SERVICES["web"]["build"]["dockerfile"]).is_file()


def test_the_site_keeps_an_idle_connection_longer_than_the_proxy():
    site = int(re.search(r"^keepalive = (\d+)$", (DEPLOY / "gunicorn.conf.py").read_text("utf-8"), re.MULTILINE)[1])
    for upstream in ("games-upstream.inc", "compose-upstream.inc"):
        proxy = re.search(r"keepalive_timeout (\d+)s;", (DEPLOY / "nginx" / upstream).read_text(encoding="utf-8"))
        assert int(proxy[1]) < site


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze: units are NOT verified")
def test_systemd_understands_every_unit(tmp_path: Path):
    names = []
    for unit in (DEPLOY / "systemd").iterdir():
        text = unit.read_text(encoding="utf-8").replace("/opt/games", str(settings.BASE_DIR))
        name = unit.name.replace("@.", "@1.")
        (tmp_path / name).write_text(text, encoding="utf-8")
        names.append(str(tmp_path / name))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *names], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze: units are NOT rated")
def test_a_unit_can_do_little_beyond_its_work():
    """Exposure as systemd rates it, from 0 to 10: what is below 3 is “OK”."""
    units = sorted(map(str, (DEPLOY / "systemd").glob("*.service")))
    rated = ["systemd-analyze", "security", "--offline=yes", "--threshold=30", "--no-pager", *units]
    done = subprocess.run(rated, capture_output=True, text=True)
    assert done.returncode == 0, re.findall(r"Overall exposure.*", done.stdout)
    for unit in (DEPLOY / "systemd").glob("*.service"):
        assert re.search(r"^MemoryMax=\dG\nTasksMax=\d+$", unit.read_text(encoding="utf-8"), re.MULTILINE), unit.name


@pytest.mark.parametrize("name", SERVICES)
def test_a_container_can_do_little_beyond_its_work(name: str):
    service = SERVICES[name]
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"] is True
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert {"mem_limit", "pids_limit"} < service.keys()
    assert {"NET_ADMIN", "SYS_ADMIN"}.isdisjoint(service.get("cap_add", ()))
    assert COMPOSE["networks"]["inner"] == {"internal": True}
    assert service["networks"] == {"web": ["inner", "outer"], "proxy": ["outer"]}.get(name, ["inner"])


def test_the_proxy_sees_only_what_it_sends():
    seen = [mount for mount in SERVICES["proxy"]["volumes"] if "state" in str(mount)]
    assert [mount["volume"]["subpath"] for mount in seen] == ["static", "files", "datasets"]
    assert all(
        mount["read_only"] and mount["target"] == f"/var/lib/games/{mount['volume']['subpath']}" for mount in seen
    )
