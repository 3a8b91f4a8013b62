"""nginx with the shipped configuration before the real site: TLS, gzip, parts of files, and readers who are slow."""

import contextlib
import gzip
import hashlib
import http.client
import io
import json
import re
import shutil
import socket
import ssl
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from catalogue.dataset.described import FORMAT, PACKAGE_NAME
from simulator.servers import free_port
from tests.databases import NOBODY
from tests.services.deployment import HOST, VISITOR, Proxy, example, missing_programs, running_nginx, started
from tests.services.machine import PATIENCE, Machine, wait_for

MISSING = missing_programs("nginx", "openssl")
pytestmark = [
    pytest.mark.services,
    pytest.mark.by_turns("through the proxy"),
    pytest.mark.skipif(bool(MISSING), reason=f"{' and '.join(MISSING)} not installed: the proxy is NOT tested"),
]
VERSION, LARGE, SIZE = "2026.11.23", "large.bin", 12_000_000
FILE = f"/data/{VERSION}/{LARGE}"
CONTENT = bytes(range(256)) * (SIZE // 256)
READERS = 50


@dataclass(frozen=True, slots=True)
class Site:
    port: int
    proxy: Proxy
    static: Path
    environment: dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, shipped_database: Path) -> Iterator[Site]:
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    shutil.copy(shipped_database, folder / "db.sqlite3")
    _release(folder / "datasets" / VERSION)
    environment = example(folder, DATABASE_URL=f"sqlite:///{folder / 'db.sqlite3'}", REDIS_URL="memory://")
    environment |= {"WEB_BIND": f"127.0.0.1:{port}", "WEB_PROCESSES": "1"}
    machine = Machine(folder, NOBODY)
    machine.environment = environment
    machine.manage("collectstatic", "--no-input", "--verbosity", "0", "--skip-checks")
    server = started("games-web.service", folder, environment)
    try:
        with running_nginx(folder / "nginx", port, folder / "static") as proxy:
            wait_for(lambda: _answers(port) or not server.is_running, "the site answers")
            assert server.is_running, server.last_lines()
            yield Site(port, proxy, folder / "static", environment)
    finally:
        server.stop(patience=5)


def _release(folder: Path) -> None:
    """As small as one can be, but for one large file."""
    folder.mkdir(parents=True)
    (folder / LARGE).write_bytes(CONTENT)
    package = {"name": PACKAGE_NAME, "format": FORMAT, "version": VERSION, "created": VERSION.replace(".", "-")}
    (folder / "datapackage.json").write_text(json.dumps(package), encoding="utf-8")
    files = [folder / LARGE, folder / "datapackage.json"]
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files)
    (folder / "SHA256SUMS").write_text(sums, encoding="utf-8")


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError):
        return _bare(port, "/livez")[0] == 200
    return False


def _bare(port: int, path: str, seconds: float = PATIENCE) -> tuple[int, http.client.HTTPMessage, bytes]:
    """What the site answers without a proxy before it, as a proxy would ask it."""
    return _asked(http.client.HTTPConnection("127.0.0.1", port, timeout=seconds), path, {"X-Forwarded-Proto": "https"})


def _through(site: Site, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
    """What a reader gets over TLS."""
    return _asked(_connection(site), path, {name.replace("_", "-"): value for name, value in headers.items()})


def _connection(site: Site) -> http.client.HTTPSConnection:
    """A connection over TLS; the certificate is looked at, as a browser does."""
    trusting = ssl.create_default_context(cafile=str(site.static.parent / "nginx" / "fullchain.pem"))
    connection = http.client.HTTPSConnection(HOST, site.proxy.tls, timeout=PATIENCE, context=trusting)
    connection.sock = trusting.wrap_socket(
        socket.create_connection(("127.0.0.1", site.proxy.tls), timeout=PATIENCE), server_hostname=HOST
    )
    return connection


def _asked(
    connection: http.client.HTTPConnection, path: str, headers: dict[str, str]
) -> tuple[int, http.client.HTTPMessage, bytes]:
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"Host": HOST, **headers})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def test_plain_http_leads_to_tls_and_tls_binds_the_browser(site: Site):
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", site.proxy.plain, timeout=PATIENCE)) as connection:
        connection.request("GET", "/games/?x=1", headers={"Host": HOST})
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Location"]) == (301, f"https://{HOST}/games/?x=1")
    status, headers, _ = _through(site, "/admin/login/")
    assert (status, headers["Strict-Transport-Security"]) == (200, "max-age=31536000; includeSubDomains")
    assert "Secure" in headers["Set-Cookie"]


def test_static_files_bind_the_browser_to_tls_too(site: Site):
    headers = _through(site, "/static/catalogue/site.css")[1]
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"


def test_who_names_another_host_gets_no_answer(site: Site):
    with socket.create_connection(("127.0.0.1", site.proxy.plain), timeout=PATIENCE) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        assert plain.recv(100) == b""
    trusting = ssl.create_default_context(cafile=str(site.static.parent / "nginx" / "fullchain.pem"))
    with (
        socket.create_connection(("127.0.0.1", site.proxy.tls), timeout=PATIENCE) as tls,
        pytest.raises(ssl.SSLError, match=r"(?i)unrecognized.name"),
    ):
        trusting.wrap_socket(tls, server_hostname="evil.example")


@pytest.mark.thorough
def test_requests_are_bounded_by_visitor_and_network(site: Site):
    """A network of IPv6 is one visitor, its neighbour another, and so is every address of the older kind."""

    with contextlib.closing(_connection(site)) as connection:

        def refused(addresses: list[str]) -> int:
            found = []
            for address in addresses:
                connection.request("GET", "/robots.txt", headers={"Host": HOST, VISITOR: address})
                answer = connection.getresponse()
                answer.read()
                found.append(answer.status)
            return found.count(429)

        assert refused([f"2001:db8:0:1:{number:x}::1" for number in range(1, 200)]) > 0
        assert refused(["2001:db8:0:2::1", "203.0.113.1"]) == 0
        assert refused([f"203.0.113.{number}" for number in range(2, 202)]) == 0


def test_pages_and_answers_are_compressed_for_whoever_takes_that(site: Site):
    for path in ("/evidence/", "/api/v1/evidence/", "/static/catalogue/site.css"):
        status, headers, body = _through(site, path, Accept_Encoding="gzip")
        assert (status, headers["Content-Encoding"]) == (200, "gzip"), path
        plain = _through(site, path)[2]
        assert len(body) < len(plain) / 2, path
        if "csrf" not in plain.decode():
            assert gzip.decompress(body) == plain, path


def test_a_part_of_a_static_file_can_be_had(site: Site):
    whole = (site.static / "catalogue" / "site.css").read_bytes()
    status, headers, body = _through(site, "/static/catalogue/site.css", Range="bytes=100-199")
    assert (status, body) == (206, whole[100:200])
    assert headers["Content-Range"] == f"bytes 100-199/{len(whole)}"


def test_the_proxy_sends_what_the_site_names(site: Site):
    status, headers, body = _through(site, FILE)
    etag = f'"{hashlib.sha256(CONTENT).hexdigest()}"'
    assert (status, body, headers["ETag"], headers["Content-Length"]) == (200, CONTENT, etag, str(len(CONTENT)))
    assert headers["Content-Disposition"] == f'inline; filename="{LARGE}"'
    for name in ("Last-Modified", "Content-Security-Policy", "X-Request-ID", "X-Content-Type-Options"):
        assert len(headers.get_all(name, [])) == 1, name
    assert headers["Accept-Ranges"] == "bytes"
    part = {"Range": "bytes=1000-1999"}
    for state, expected in ((etag, 206), (headers["Last-Modified"], 206), ('"other"', 200)):
        status, said, body = _through(site, FILE, **part, If_Range=state)
        assert (status, body) == (expected, CONTENT[1000:2000] if expected == 206 else CONTENT), state
    status, said, _ = _through(site, FILE, Range=f"bytes={SIZE}-")
    assert (status, said["Content-Range"]) == (416, f"bytes */{len(CONTENT)}")
    for known in ({"If_None_Match": etag}, {"If_Modified_Since": headers["Last-Modified"]}):
        assert _through(site, FILE, **known)[0] == 304, known
    status, said, _ = _bare(site.port, FILE)
    assert (status, said["X-Accel-Redirect"]) == (200, f"/sendfile/datasets/{VERSION}/{LARGE}")


def test_nobody_can_ask_the_proxy_for_files_of_the_site(site: Site):
    for path in (f"/sendfile/datasets/{VERSION}/{LARGE}", "/sendfile/files/../secret_key", "/sendfile/db.sqlite3"):
        assert _through(site, path)[0] == 404, path


def test_an_archive_is_made_once_and_sent_by_the_proxy(site: Site):
    address = f"/data/{VERSION}.zip"
    status, headers, body = _through(site, address)
    (kept,) = (site.static.parent / "files").iterdir()
    assert (status, body, kept.suffix) == (200, kept.read_bytes(), ".zip")
    assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None
    assert _through(site, address, If_None_Match=headers["ETag"])[0] == 304
    assert _through(site, address, Range="bytes=-100")[2] == body[-100:]


def test_the_address_of_a_long_game_arrives(site: Site):
    game = "/rulesets/daramuti-parker/play-a-game/?players=you,you&seed=1&moves=" + "ab" * 3_500
    assert _through(site, game)[0] == 400  # so it was read: these moves are none


def test_a_request_keeps_its_name_through_the_proxy(site: Site):
    assert _through(site, "/livez", X_Request_ID="from-somewhere-1")[1]["X-Request-ID"] == "from-somewhere-1"
    assert re.fullmatch("[0-9a-f]{32}", _through(site, "/livez", X_Request_ID="???")[1]["X-Request-ID"])


def test_metrics_are_refused_through_the_proxy_from_elsewhere(site: Site):
    assert _through(site, "/metrics")[0] == 200  # from this machine, as the proxy says
    assert _bare(site.port, "/metrics")[0] == 200
    network = http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
    assert _asked(network, "/metrics", {"X-Forwarded-For": "203.0.113.9"})[0] == 403


@pytest.mark.thorough
def test_fifty_slow_readers_do_not_stop_the_bare_site(site: Site):
    """One process as shipped, with nothing before it, so that it sends the file itself."""
    port = free_port()
    environment = {**site.environment, "SENDFILE_URL": "", "WEB_BIND": f"127.0.0.1:{port}"}
    folder = site.static.parent / "bare"
    folder.mkdir()
    server = started("games-web.service", folder, environment)
    try:
        wait_for(lambda: _answers(port) or not server.is_running, "the bare site answers")
        assert _bare(port, "/games/")[0] == 200  # templates are read
        with _slow_readers(port) as readers:
            assert {reader.recv(12) for reader in readers} == {b"HTTP/1.1 200"}
            assert _bare(port, "/games/")[0] == 200  # while all of them still wait
    finally:
        server.stop(patience=1)


@pytest.mark.thorough
def test_fifty_slow_readers_do_not_stop_the_proxied_site(site: Site):
    trusting = ssl.create_default_context(cafile=str(site.static.parent / "nginx" / "fullchain.pem"))
    with _slow_readers(site.proxy.tls, trusting) as readers:
        assert {reader.recv(12) for reader in readers} == {b"HTTP/1.1 200"}
        assert _through(site, "/games/")[0] == 200  # while all of them still wait


@contextlib.contextmanager
def _slow_readers(port: int, tls: ssl.SSLContext | None = None) -> Iterator[list[socket.socket]]:
    """Fifty who have asked for the large file, and read nothing of it."""
    ask = f"GET {FILE} HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-Proto: https\r\n\r\n".encode()
    readers: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        for _ in range(READERS):
            reader = stack.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.settimeout(PATIENCE)
            reader.connect(("127.0.0.1", port))
            if tls:
                reader = stack.enter_context(tls.wrap_socket(reader, server_hostname=HOST))
            reader.sendall(ask)
            readers.append(reader)
        time.sleep(1)
        yield readers
