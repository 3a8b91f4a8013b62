"""Dumps as data: what is a row, what is a string, and what is refused. Nothing here needs a database."""

import gzip
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlglot.dialects.mysql import MySQL
from sqlglot.tokens import TokenType

from catalogue.portal.dump import statements
from catalogue.portal.dump.reading import read_dump
from catalogue.portal.dump.statements import NoDump, PartKind, statement_parts
from catalogue.portal.dump.values import Unreadable, columns_of, unquoted, values_of
from catalogue.portal.reports import RowRemarks
from tests.catalogue.portal_dumps import COLUMNS, dump, literal, name, record, small

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


def rows_of(sql: str) -> list[list]:
    return [values_of(piece) for piece in statement_parts([sql]) if piece.kind is PartKind.ROW]


def written(folder: Path, content: str | bytes, file: str = "portal.sql") -> Path:
    path = folder / file
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(path: Path) -> tuple[dict[str, list[dict]], list[str]]:
    remarks = RowRemarks()
    found = read_dump(path, remarks)
    return {table: list(rows) for table, rows in found.tables.items()}, [str(one) for one in remarks.kept]


@given(st.lists(st.lists(st.none() | TEXTS | st.integers(-(10**17), 10**17), min_size=1, max_size=5), min_size=1))
def test_what_is_written_is_read(rows: list[list]) -> None:
    assert rows_of("INSERT INTO t VALUES " + ",\n".join(f"({', '.join(map(literal, row))})" for row in rows)) == rows


@given(TEXTS, st.sampled_from("'\""))
def test_a_string_is_what_the_lexer_of_sqlglot_says(text: str, quote: str) -> None:
    for body in (text.replace("\\", "\\\\").replace(quote, quote * 2), text.replace(quote, "\\" + quote)):
        try:
            tokens = MySQL().tokenize(quote + body + quote)
        except Exception:  # an odd number of backslashes at the end
            continue
        if len(tokens) == 1 and tokens[0].token_type is TokenType.STRING:
            assert unquoted(quote + body + quote) == tokens[0].text


@given(st.text("'\"`\\;()-/*# \nabINSERTVALUES,0x", max_size=60), st.integers(1, 9))
def test_any_text_is_cut_the_same_way_however_it_comes(text: str, size: int) -> None:
    def cut(parts: list[str]) -> list | str:
        try:
            return list(statement_parts(parts))
        except NoDump as problem:
            return str(problem)

    assert cut([text[k : k + size] for k in range(0, len(text), size)]) == cut([text])


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("'it''s'", "it's"),
        (r"'it\'s'", "it's"),
        ("'semi;colon -- # /* no comment */'", "semi;colon -- # /* no comment */"),
        (r"'a\nb\t\\c\%'", "a\nb\t\\c\\%"),
        ('"double ""quotes"""', 'double "quotes"'),
        ("'two' 'parts'", "twoparts"),
        ("N'national'", "national"),
        ("_binary 'abc'", "abc"),
        ("_utf8mb4'\N{DROMEDARY CAMEL}'", "\N{DROMEDARY CAMEL}"),
        ("0x4142", b"AB"),
        ("x'4142'", b"AB"),
        ("b'101'", 5),
        ("-7", -7),
        ("1.50", "1.50"),
        ("NULL", None),
        ("null /* a comment; with 'a quote */", None),
        ("TRUE", 1),
        ("DEFAULT", None),
        ("NOW()", Unreadable("NOW ( )")),
        ("(SELECT 1, 2)", Unreadable("( SELECT 1 , 2 )")),
    ],
)
def test_each_kind_of_value(sql: str, value: object) -> None:
    assert rows_of(f"INSERT INTO t VALUES (1, {sql}, 2)") == [[1, value, 2]]


def test_what_is_behind_the_rows_is_no_row() -> None:
    sql = "REPLACE INTO t (a) VALUES (1),(2) ON DUPLICATE KEY UPDATE a=VALUES(a), b=(3); INSERT INTO t VALUES (4);"
    assert rows_of(sql) == [[1], [2], [4]]


@pytest.mark.parametrize(
    ("sql", "table", "columns", "defines"),
    [
        ("CREATE TABLE IF NOT EXISTS `G``` (`I` int(11), `b` enum('x,y'), PRIMARY KEY (`I`))", "G`", ("I", "b"), True),
        ("CREATE TABLE ludii.Games (Id int, key_ int, KEY k (Id))", "Games", ("Id", "key_"), True),
        ("INSERT INTO `Games` (`Id`, `Key`) VALUES (1, 2)", "Games", ("Id", "Key"), False),
        ("INSERT IGNORE INTO `ludii`.`Games` VALUES (1, 2)", "Games", None, False),
    ],
)  # fmt: skip
def test_tables_and_columns_are_named(sql: str, table: str, columns: tuple[str, ...] | None, defines: bool) -> None:
    found = columns_of(next(statement_parts([sql])))
    assert found
    assert (found.table, found.columns, found.defines) == (table, columns, defines)


def test_lines_are_counted_over_everything_that_is_left() -> None:
    left = "-- one\n/* two\nthree */\nDELIMITER $$\nCREATE PROCEDURE p() BEGIN; END$$\nDELIMITER ;\nUSE `x`;\n\n"
    sql = left + "  INSERT INTO t VALUES\n(1),\n('\n\n'),\n(2);"
    found = [(piece.kind, piece.line) for piece in statement_parts([sql])]
    rows = [(PartKind.ROW, line) for line in (10, 11, 14)]
    assert found == [(PartKind.OTHER, 7), (PartKind.INSERT, 9), *rows]


def test_columns_are_taken_by_name_whatever_their_order_and_spelling(tmp_path: Path) -> None:
    columns = {**COLUMNS, "Evidence": ("misc", "GAME_ID", "id", "SomethingNew")}
    found, remarks = read(written(tmp_path, dump({"Evidence": [{"misc": "x", "GAME_ID": 7, "id": 3}]}, columns)))
    assert found["Evidence"] == [{"Id": 3, "GameId": 7, "Misc": "x"}]
    assert remarks == ["Evidence: the column SomethingNew is not known and was left alone"]


def test_unknown_tables_and_rows_that_do_not_fit_are_reported(tmp_path: Path) -> None:
    users = "\nCREATE TABLE Users (Id int); INSERT INTO Users VALUES (1);"
    extra = users + "INSERT INTO Games (Id, Name) VALUES (5), (6, NOW());"
    found, remarks = read(written(tmp_path, dump(small(record(1))) + extra))
    assert remarks == [
        "Users: the table is not known and was left alone",
        f"Games line {dump(small(record(1))).count(chr(10)) + 2}: a row of 1 values for 2 columns was left out",
        "Games 6: Name is no value but an expression: 'NOW ( )'",
    ]
    assert found["Games"][-1] == {"Id": 6, "Name": None}


WHOLE = dump(small(record(1)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "neither CREATE TABLE nor INSERT"),
        (b"A letter to a friend.\nIt isn't SQL.", "line 2: a string that begins here does not end"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "byte 0x89 in line 1 is not UTF-8"),
        (b"plain text\n\x00\n", "a zero byte"),
        ("CREATE TABLE x (a int);".encode("utf-16"), "encoded as UTF-16; export it as UTF-8"),
        (WHOLE.replace("night", "n\xefght").encode("latin-1"), "is not UTF-8; export the dump as UTF-8"),
        ("CREATE TABLE Users (Id int);", "no dump of the portal: there is no table Games; its tables are Users"),
        (WHOLE[: WHOLE.index("They play")], "a string that begins here does not end"),
        (WHOLE[: WHOLE.index(", 100, NULL")], "it breaks off within brackets"),
        (WHOLE.replace("`GameId`", "`Gamme`"), "the table Evidence has no column GameId; the nearest is Gamme"),
        ("INSERT INTO Games VALUES (1, 'x');", "names no columns, and no CREATE TABLE before it does"),
        ("INSERT INTO Games (Id, Name) VALUES " + "(" * 60 + ")" * 60, "nested more than 50 deep"),
        (f"CREATE TABLE Games ({', '.join(f'c{k} int' for k in range(501))})", "has 501 columns; the most are 500"),
        (f"INSERT INTO Games (Id, Name) VALUES ({', '.join('1' * 501)})", "a row has 501 values; the most are 500"),
        (b"\x1f\x8b\x08 no gzip", "it cannot be decompressed"),
        (b"PK\x03\x04 no zip", "the archive cannot be unpacked"),
        ("INSERT INTO Games (Id) VALUES (1);)", "it is no SQL|a bracket is closed|no column Name"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_dump_is_refused_in_words(tmp_path: Path, content: str | bytes, words: str) -> None:
    with pytest.raises(NoDump, match=words):
        read(written(tmp_path, content))


def test_limits_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "LONGEST_PART", 1000)
    with pytest.raises(NoDump, match="a row is longer than 1,000 characters"):
        read(written(tmp_path, dump(small(record(1, Rules="word " * 300)))))
    monkeypatch.setattr(statements, "MOST_BYTES", 5000)
    with pytest.raises(NoDump, match="more than 0 MB of text"):
        read(written(tmp_path, WHOLE))


def test_compressed_dumps_are_read_and_bombs_are_not(tmp_path: Path) -> None:
    plain = read(written(tmp_path, WHOLE))
    assert read(written(tmp_path, b"\xef\xbb\xbf" + WHOLE.encode())) == plain
    assert read(written(tmp_path, gzip.compress(WHOLE.encode()), "portal.sql.gz")) == plain
    with zipfile.ZipFile(tmp_path / "portal.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../etc/portal.sql", WHOLE)  # nothing is unpacked to the disk
    assert read(tmp_path / "portal.zip") == plain
    with zipfile.ZipFile(tmp_path / "portal.zip", "a") as archive:
        archive.writestr("second", "")
    with pytest.raises(NoDump, match="the archive holds 2 files"):
        read(tmp_path / "portal.zip")
    bomb = gzip.compress((WHOLE + "\n" * 8_000_000).encode())
    with pytest.raises(NoDump, match=f"more than {statements.MOST_EXPANSION} times as large"):
        read(written(tmp_path, bomb, "bomb.gz"))


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")))
def test_no_file_crashes_the_reader(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = written(tmp_path_factory.getbasetemp(), content)
    with pytest.raises(NoDump):
        read(path)


@given(TEXTS)
def test_a_name_may_hold_anything_but_its_end(words: str) -> None:
    found = columns_of(next(statement_parts([f"INSERT INTO {name('x' + words)} VALUES (1)"])))
    assert found
    assert found.table == "x" + words
