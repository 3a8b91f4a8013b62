"""What stands in `deploy/`, as it runs here: the units' own commands, and nginx with the shipped configuration."""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from simulator.servers import Server, free_port
from tests.services.machine import wait_for

ROOT = Path(settings.BASE_DIR)
DEPLOY = ROOT / "deploy"
HOST = "games.example.org"
VISITOR = "X-Real-IP"  # the header by which a test says from where it asks


def unit_command(unit: str, instance: str = "1") -> list[str]:
    """ExecStart of a unit, as systemd would start its instance of that name, with this checkout for /opt/games."""
    text = (DEPLOY / "systemd" / unit).read_text(encoding="utf-8")
    command = re.search(r"^ExecStart=(.*)$", text, re.MULTILINE)
    assert command, unit
    return shlex.split(command[1].replace("%%", "\0").replace("%i", instance).replace("\0", "%"))


def started(unit: str, folder: Path, environment: dict[str, str], instance: str = "1") -> Server:
    command = [word.replace("/opt/games", str(ROOT)) for word in unit_command(unit, instance)]
    beside = {**environment, "CELERY_SKIP_CHECKS": "1", "PYTHONUNBUFFERED": "1"}
    return Server.start(unit, command, folder / f"{unit}{instance}.log", beside)


def example(folder: Path, **values: str) -> dict[str, str]:
    """The documented environment with these values in place of the example's."""
    text = (DEPLOY / "environment.example").read_text(encoding="utf-8")
    shown = dict(re.findall(r'^(\w+)="(.*)"$', text, re.MULTILINE))
    compiled = {"KERNEL_CACHE_DIR": str(settings.KERNEL_CACHE_DIR)}
    return {**os.environ, **shown, "VAR_DIR": str(folder), "SECRET_KEY": "of-this-test-only-" * 3, **compiled, **values}


@dataclass(frozen=True, slots=True)
class Proxy:
    plain: int
    tls: int
    server: Server


@contextlib.contextmanager
def running_nginx(folder: Path, site: int, static: Path) -> Iterator[Proxy]:
    """nginx with the shipped configuration: only ports, folders and who runs it are those of this machine.

    static: a folder in that of the site, VAR_DIR
    """
    plain, tls = free_port(), free_port()
    (folder / "conf.d").mkdir(parents=True)
    _certificate(folder)
    for name in ("games.conf", "games-upstream.inc"):
        text = (DEPLOY / "nginx" / name).read_text(encoding="utf-8")
        text = re.sub(r"^ *listen \[::\].*\n", "", text, flags=re.MULTILINE)
        for there, here in {
            "listen 80": f"listen 127.0.0.1:{plain}",
            "listen 443": f"listen 127.0.0.1:{tls}",
            "127.0.0.1:8000": f"127.0.0.1:{site}",
            "/etc/games/tls": str(folder),
            "/var/lib/games": str(static.parent),
            "/var/log/nginx": str(folder),
        }.items():
            text = text.replace(there, here)
        (folder / "conf.d" / name).write_text(text, encoding="utf-8")
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = "".join(
        f"{one}_temp_path {folder}/{one};" for one in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; {user} pid {folder}/nginx.pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 512; }}\n"
        # So that a test can come from any address.
        f"http {{ set_real_ip_from 127.0.0.1; real_ip_header {VISITOR};\n"
        f"include /etc/nginx/mime.types; {temporary} include conf.d/*.conf; }}",
        encoding="utf-8",
    )
    server = Server.start("nginx", ["nginx", "-c", str(folder / "nginx.conf")], folder / "nginx.log")
    try:
        wait_for(lambda: (folder / "nginx.pid").exists() or not server.is_running, "nginx runs")
        assert server.is_running, server.last_lines()
        yield Proxy(plain, tls, server)
    finally:
        server.stop(patience=5)


def _certificate(folder: Path) -> None:
    subject = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    files = ["-keyout", str(folder / "privkey.pem"), "-out", str(folder / "fullchain.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files]
    subprocess.run(command, check=True, capture_output=True)


def missing_programs(*names: str) -> list[str]:
    return [name for name in names if not shutil.which(name)]
