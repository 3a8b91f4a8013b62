"""A copy of the site as a plain web server gives it, walked through from its first page."""

import threading
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup


def walked(folder: Path) -> set[str]:
    """The paths of all files that can be come to from the first page, as a plain web server gives them."""
    handler = partial(SilentHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        start = f"http://127.0.0.1:{server.server_port}/index.html"
        waiting, known = [start], {start}
        while waiting:
            address = waiting.pop()
            with urllib.request.urlopen(address) as answer:
                text = answer.read().decode(errors="replace") if address.endswith(".html") else ""
            soup = BeautifulSoup(text, "html.parser")
            for node in soup.find_all(True):
                for name in ("href", "src", "action"):
                    to = urldefrag(urljoin(address, str(node.get(name) or ""))).url
                    if to.startswith(start.removesuffix("index.html")) and to not in known:
                        known.add(to)
                        waiting.append(to)
        server.shutdown()
    return {urlsplit(one).path for one in known}


class SilentHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """A test says nothing."""
