"""What commands tell while they work, and what is said of a port that is taken."""

import io
import json
import socket
from collections.abc import Iterator

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.core.management.base import CommandError

from catalogue.management.commands import demo
from simulator.management import command_line
from simulator.management.command_line import LongCommand, PlainCommand, ProgressLine, SimulatorCommand, as_json


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(command_line.time, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(("stream", "lines"), [(Terminal(), 31), (io.StringIO(), 4)])
def test_progress_is_told_at_a_measured_pace(clock: list[float], stream: io.StringIO, lines: int) -> None:
    """Thirty seconds with ten steps in each: a line a second on a terminal, one in ten seconds elsewhere."""
    line = ProgressLine(stream)
    for step in range(301):
        clock[0] = 100 + step / 10
        line.show(f"step {step}", 100 * step // 300)
    line.end()
    assert len([text for text in stream.getvalue().replace("\r\033[K", "\n").split("\n") if text]) == lines
    assert "step 0" in stream.getvalue()
    assert "step 300" in stream.getvalue()


class Telling(SimulatorCommand):
    def handle(self, **options: object) -> None:
        line = ProgressLine(self.stderr)
        line.show("half of it", 50)
        line.end()
        self.stdout.write("done")


@pytest.mark.parametrize(("options", "told"), [({}, "half of it\n"), ({"quiet": True}, ""), ({"verbosity": 0}, "")])
def test_a_quiet_command_tells_its_answer_only(options: dict[str, object], told: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    call_command(Telling(), stdout=out, stderr=err, **options)
    assert (out.getvalue(), err.getvalue()) == ("done\n", told)


class Reading(PlainCommand):
    def handle(self, **options: object) -> None:
        self.stdout.write("a title\x1b]0;mine\x07\u202e\x9b2J\r\nanother\r\tline")
        self.stdout.write(as_json({"title": "\x9b2J\u202e"}))
        raise CommandError("\x1b[2J is no page")


def test_the_words_of_others_move_no_cursor_of_a_terminal() -> None:
    out, err = io.StringIO(), Terminal()
    with pytest.raises(SystemExit):
        Reading(stdout=out, stderr=err, no_color=True).run_from_argv(["manage.py", "reading", "--skip-checks"])
    words, _, document = out.getvalue().partition("{")
    assert words == "a title\\u001b]0;mine\\u0007\\u202e\\u009b2J\nanother\\u000d\tline\n"
    assert json.loads("{" + document) == {"title": "\x9b2J\u202e"}
    assert err.getvalue() == "CommandError: \\u001b[2J is no page\n"
    for name in ("import_portal", "import_portal_dump", "reanchor", "doctor", "wishes", "load_dataset", "replay"):
        assert isinstance(load_command_class(get_commands()[name], name), PlainCommand), name


def test_commands_that_take_long_can_be_quiet() -> None:
    assert issubclass(SimulatorCommand, LongCommand)
    parser = Telling().create_parser("manage.py", "telling")
    assert parser.parse_args(["--quiet"]).quiet


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


def test_a_port_that_is_named_and_taken_is_refused_by_name(taken: int) -> None:
    with pytest.raises(CommandError, match=f"port {taken} is taken .* --port "):
        call_command("demo", port=str(taken))
    for wrong in ("80", "http", "70000", "-1"):
        with pytest.raises(CommandError, match="from 1024 to 65535"):
            call_command("demo", port=wrong)


def test_another_port_than_the_usual_is_said(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "PORT", taken)
    out = io.StringIO()
    port = demo.Command(stdout=out)._port(None)
    assert port != taken
    assert out.getvalue() == f"Port {taken} is taken by another program, so the site takes {port}.\n"
