"""A ruleset is its content: one canonical form, one hash, and every bad document named."""

import difflib
import hashlib
import itertools
import json
import random

import pytest

from catalogue.analyses.claim_checks import problems_of_test
from simulator.engine import shipped
from simulator.engine.documents import MOST_NESTED, is_too_deep, parse, read_stored, schema_errors, with_changes
from simulator.engine.family import FAMILY_NAMES, family
from simulator.engine.ruleset import RulesetProblem, alike
from tests.engine.rulesets import RULESETS, SOWING, VERSIONS
from tests.golden_digests import HASHES

KALAH = {
    "family": "sowing",
    "holes_per_row": 6,
    "counters_per_hole": 4,
    "store_sown": True,
    "store_again": True,
    "capture_opposite": "own",
    "capture_opposite_own_counter": True,
    "round_end": "either_row_empty",
}
PLAIN = {"family": "sowing", "holes_per_row": 7, "counters_per_hole": 4}


class TestCanonicalForm:
    def test_hash_is_sha256_of_rfc_8785(self):
        """Keys sorted, no white space, UTF-8: written out by hand for Kalah."""
        by_hand = (
            '{"capture_opposite":"own","capture_opposite_own_counter":true,"counters_per_hole":4,"family":"sowing",'
            '"holes_per_row":6,"round_end":"either_row_empty","store_again":true,"store_sown":true}'
        )
        assert parse(KALAH).hash == hashlib.sha256(by_hand.encode()).hexdigest()

    def test_order_of_keys_is_irrelevant(self):
        for items in itertools.islice(itertools.permutations(KALAH.items()), 0, 40_320, 4001):
            assert parse(dict(items)).hash == parse(KALAH).hash

    def test_order_of_lists_is_irrelevant(self):
        oware = dict(RULESETS["oware-reference"].document)
        assert oware["capture_making"] == [2, 3]
        assert parse({**oware, "capture_making": [3, 2]}).hash == RULESETS["oware-reference"].hash

    def test_four_and_four_point_nought_are_one_number(self):
        """JSON has one kind of number."""
        written = json.loads('{"family": "sowing", "holes_per_row": 7.0, "counters_per_hole": 4.0, "pass_over": 0.0}')
        assert parse(written) == parse(PLAIN)
        assert json.dumps(parse(written).document) == '{"family": "sowing", "holes_per_row": 7, "counters_per_hole": 4}'

    def test_off_values_are_left_out(self):
        """A document that spells out every off value is the same content."""
        full = parse(KALAH).parameters
        assert len(full) > 60
        assert parse(full) == parse(KALAH)
        assert parse(full).document == KALAH

    def test_a_document_is_not_changed_by_parsing(self):
        document = {**RULESETS["oware-reference"].document, "capture_making": [3, 2]}
        parse(document)
        assert document["capture_making"] == [3, 2]

    def test_canonical_form_is_a_fixed_point(self):
        for slug in RULESETS:
            ruleset = RULESETS[slug]
            assert parse(ruleset.document) == ruleset
            assert read_stored(ruleset.hash, json.loads(json.dumps(ruleset.document))) == ruleset


class TestShippedRulesets:
    def test_hashes_are_as_published(self):
        """Citations name these hashes. A changed rule is a new version of a ruleset, never a changed hash of an
        old one."""
        assert {slug: ruleset.hash for slug, ruleset in VERSIONS.items()} == HASHES, (
            "the content of a published ruleset has changed; if that is meant and nothing cites it yet, "
            "run python -m tests.golden_digests"
        )

    def test_the_record_of_daramuti_copies_the_rules_of_puhulmutu(self):
        """DLP.Evidence.692's Rules are those of 1386 word for word, so the two paraphrases are one content."""
        assert RULESETS["daramuti-dlp"].hash == RULESETS["puhulmutu-dlp"].hash

    def test_the_programme_plays_the_portals_mawkar_katiya(self):
        """Its later games have not been observed, so that nothing parts it from the paraphrase."""
        assert RULESETS["mawkar-katiya-ludii"].hash == RULESETS["mawkar-katiya-dlp"].hash

    def test_all_other_readings_differ(self):
        alike = {"daramuti-dlp", "mawkar-katiya-ludii"}
        others = {slug: ruleset.hash for slug, ruleset in RULESETS.items() if slug not in alike}
        assert len(set(others.values())) == len(others)

    def test_a_new_parameter_leaves_every_hash_as_it_was(self, monkeypatch):
        """A rule added later is off in every older document."""
        schema = family("sowing").schema
        later = {**schema["properties"], "fourth_row": {"type": "boolean", "default": False}}
        monkeypatch.setitem(schema, "properties", later)
        for slug, ruleset in SOWING.items():
            again = parse(ruleset.document)
            assert again.hash == HASHES[slug]
            assert again.parameters["fourth_row"] is False
        assert parse({**KALAH, "fourth_row": True}).hash != HASHES["kalah-reference"]


def problems(document):
    with pytest.raises(RulesetProblem) as raised:
        parse(document)
    return raised.value


class TestBadDocuments:
    """ "Each refused by name, with the nearest valid value": (document, key, words of the message, nearest)."""

    @pytest.mark.parametrize(
        ("changes", "key", "words", "nearest"),
        [
            ({"pass_ovr": 3}, "pass_ovr", "no parameter has this name", "pass_over"),
            ({"relai": "last"}, "relai", "no parameter has this name", "relay"),
            ({"zzzz": 1}, "zzzz", "no parameter has this name", None),
            ({"relay": "lats"}, "relay", "must be one of off, last, next, opposite, not 'lats'", "last"),
            ({"direction": "anti-clockwise"}, "direction", "must be one of", "anticlockwise"),
            ({"holes_per_row": 1}, "holes_per_row", "at least 2, not 1", 2),
            ({"holes_per_row": 10**40}, "holes_per_row", "at most 32", 32),
            ({"counters_per_hole": 0}, "counters_per_hole", "at least 1, not 0", 1),
            ({"lap_limit": -5}, "lap_limit", "at least 10, not -5", 10),
            ({"pass_over": 3.5}, "pass_over", "must be of type integer, not 3.5", 3),
            ({"pass_over": True}, "pass_over", "must be of type integer, not True", 0),
            ({"pass_over": None}, "pass_over", "must be of type integer, not None", 0),
            ({"store_sown": "true"}, "store_sown", "must be of type boolean, not 'true'", False),
            ({"rows": 9}, "rows", "at most 6, not 9", 6),
        ],
    )
    def test_key_type_and_bounds(self, changes, key, words, nearest):
        found = problems({**PLAIN, **changes})
        assert [(problem.key, problem.nearest) for problem in found.problems] == [(key, nearest)]
        assert words in str(found)
        assert str(found).startswith(key)

    @pytest.mark.parametrize("document", [None, [], "sowing", 7, True])
    def test_what_is_no_object(self, document):
        found = problems(document)
        assert str(found) == f"a ruleset is a JSON object, not {type(document).__name__}"

    @pytest.mark.parametrize("name", ["swing", "", 7, None])
    def test_unknown_family(self, name):
        found = problems({**PLAIN, "family": name})
        assert [(problem.key, problem.nearest) for problem in found.problems] == [("family", FAMILY_NAMES[0])]

    def test_everything_wrong_is_named_at_once(self):
        found = problems({**PLAIN, "holes_per_row": 99, "relay": "nxt", "pass_over": 13})
        assert {(problem.key, problem.nearest) for problem in found.problems} == {
            ("holes_per_row", 32),
            ("relay", "next"),
            ("pass_over", 12),
        }

    def test_a_missing_parameter(self):
        found = problems({"family": "sowing", "holes_per_row": 7})
        assert [(problem.key, problem.nearest) for problem in found.problems] == [("counters_per_hole", 1)]

    @pytest.mark.parametrize(
        ("changes", "key", "nearest"),
        [
            # "no way to move": every hole begins with a single, and singles may not be played.
            ({"counters_per_hole": 1, "singles": "larger_throughout"}, "singles", "off"),
            # "more counters than fit": a partly filled hole of a game of fours holds fewer than four.
            (
                {
                    "next_round": "refill",
                    "layout_from": "chosen",
                    "direction": "chosen_once",
                    "remainder": "next",
                    "remainder_barred": [1, 4],
                },
                "remainder_barred",
                [1],
            ),
            ({"store_sown": True, "relay": "next"}, "relay", "last"),
            ({"next_round": "refill", "direction": "chosen_once"}, "layout_from", "chosen"),
            ({"round_end": "board_empty"}, "stuck", "passes"),
            ({"capture_making": [2], "capture_making_run": True}, "capture_making_run", False),
            ({"capture_next": "beyond_empty"}, "capture_next", "after_empty"),
            ({"relay": "next", "capture_next": "after_empty"}, "capture_next", "beyond_empty"),
            ({"repetition_memory": 50, "next_round": "refill"}, "repetition_memory", 0),
        ],
    )
    def test_impossible_combinations(self, changes, key, nearest):
        found = problems({**PLAIN, **changes})
        assert (key, nearest) in [(problem.key, problem.nearest) for problem in found.problems]

    @pytest.mark.parametrize(
        ("changes", "key", "needs"),
        [
            ({"capture_making_then": "next"}, "capture_making_then", "capture_making"),
            ({"store_again": True}, "store_again", "store_sown"),
            ({"grand_slam": "takes_nothing"}, "grand_slam", "capture_making_run"),
            ({"capture_next_holes": 7}, "capture_next_holes", "capture_next"),
            ({"pass_over_judged": "before_lap"}, "pass_over_judged", "passed over"),
            ({"ties_kept": True}, "ties_kept", "tied_ends"),
            ({"matching_hole": "opposite"}, "matching_hole", "matching"),
            ({"equal_round": "draw"}, "equal_round", "next_round"),
            ({"loan_when": "each_turn"}, "loan_when", "loan"),
            ({"short_handed_mixed": True}, "short_handed_mixed", "short_handed"),
        ],
    )
    def test_a_parameter_that_never_fires_is_refused(self, changes, key, needs):
        """Two documents for one game would have two hashes; the message names what the parameter needs."""
        found = [problem for problem in problems({**PLAIN, **changes}).problems if problem.key == key]
        assert needs in found[0].message
        assert found[0].nearest == family("sowing").schema["properties"][key]["default"]

    @pytest.mark.parametrize("name", [["sowing"], {"name": "sowing"}])
    def test_a_family_that_is_no_word(self, name):
        assert problems({**PLAIN, "family": name}).problems[0].key == "family"

    def test_two_missing_parameters_are_both_named(self):
        found = problems({"family": "sowing"})
        assert [problem.key for problem in found.problems] == ["holes_per_row", "counters_per_hole"]

    def test_two_unknown_keys_are_both_named(self):
        found = problems({**PLAIN, "relai": "last", "pass_ovr": 3})
        assert {(problem.key, problem.nearest) for problem in found.problems} == {
            ("relai", "relay"),
            ("pass_ovr", "pass_over"),
        }

    @pytest.mark.parametrize(
        ("key", "value", "nearest"),
        [
            ("pass_over", "3", 3),
            ("capture_making", 4, [4]),
            ("capture_making", [1], [2]),
            ("capture_making", [4, 4], [4]),
        ],
    )
    def test_the_nearest_valid_value_is_near_and_valid(self, key, value, nearest):
        assert [problem.nearest for problem in problems({**PLAIN, key: value}).problems] == [nearest]


class TestWithChanges:
    def test_sets_parameters_from_words(self):
        changed = with_changes(
            RULESETS["puhulmutu-parker"],
            {"singles": "off", "lap_limit": "500", "matching_barred": "false", "short_handed": "[2]"},
        )
        expected = {**RULESETS["puhulmutu-parker"].document, "lap_limit": 500, "short_handed": [2]}
        del expected["singles"], expected["matching_barred"]
        assert changed == parse(expected)

    def test_no_change_is_the_same_content(self):
        for ruleset in RULESETS.values():
            assert with_changes(ruleset, {}) == ruleset
        assert with_changes(RULESETS["puhulmutu-parker"], {"relay": "last"}) == RULESETS["puhulmutu-parker"]

    def test_leaves_the_ruleset_as_it_was(self):
        before = dict(RULESETS["kalah-reference"].document)
        with_changes(RULESETS["kalah-reference"], {"holes_per_row": "5"})
        assert RULESETS["kalah-reference"].document == before

    @pytest.mark.parametrize("words", ["True", "true", "TRUE"])
    def test_flags_in_any_case(self, words):
        assert with_changes(RULESETS["kalah-reference"], {"origin_passed": words}).parameters["origin_passed"] is True

    def test_throws_are_only_made_of_lots_that_fit(self):
        with pytest.raises(RulesetProblem) as raised:
            with_changes(RULESETS["pancha-keliya-dlp"], {"plays_most": "true", "scores": "[4, 43]"})
        assert "scores" in [problem.key for problem in raised.value.problems]

    @pytest.mark.parametrize(
        ("key", "words", "nearest"),
        [
            ("singels", "off", "singles"),
            ("singles", "last_hole", "last_hole_alone"),
            ("lap_limit", "lots", 2000),
            ("lap_limit", "", 2000),
            ("lap_limit", "5", 10),
            ("store_sown", "yes", False),
            ("counters_per_hole", "13", 12),
            ("[]", "2", None),
            ("", "2", None),
            ("./", "", None),
        ],
    )
    def test_bad_words_are_named(self, key, words, nearest):
        with pytest.raises(RulesetProblem) as raised:
            with_changes(RULESETS["kalah-reference"], {key: words})
        assert [problem.key for problem in raised.value.problems] == [key]
        assert raised.value.problems[0].nearest == nearest

    def test_a_number_of_five_thousand_digits(self):
        with pytest.raises(RulesetProblem):
            with_changes(RULESETS["kalah-reference"], {"lap_limit": "9" * 5000})


DAM = RULESETS["dam-parker"]


def lists(depth: int) -> list:
    found: list = [1]
    for _ in range(depth - 1):
        found = [found]
    return found


def test_lists_and_objects_are_counted_alike():
    assert not is_too_deep(1, 0)
    assert not is_too_deep([1, {"a": 2}], 2)
    assert is_too_deep([1, {"a": 2}], 1)
    assert is_too_deep({"a": ({"b": []},)}, 3)
    assert (is_too_deep(lists(MOST_NESTED)), is_too_deep(lists(MOST_NESTED + 1))) == (False, True)


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 500, 100_000])
def test_a_ruleset_that_lies_too_deep_is_refused(depth):
    for key in ("first_array", "family", "no_such_key"):
        with pytest.raises(RulesetProblem, match=f"{key}: is nested too deeply: at most {MOST_NESTED}"):
            parse({**DAM.document, key: [lists(depth), lists(depth)]})


@pytest.mark.parametrize("depth", [MOST_NESTED + 1, 500, 100_000])
def test_brackets_within_brackets_are_no_list(depth):
    words = "[" * depth + "]" * depth
    with pytest.raises(RulesetProblem, match="first_array: "):
        with_changes(DAM, {"first_array": words})


def test_neither_a_claim_nor_a_file_lies_too_deep():
    deep = lists(500)
    assert problems_of_test({"kind": "share", "figures": [deep, deep]}, {}) == [
        f"a test is nested too deeply: at most {MOST_NESTED} lists and objects in each other"
    ]
    assert schema_errors({"a": deep}, {"properties": {"a": {"uniqueItems": True}}}) == [
        f"the document is nested too deeply: at most {MOST_NESTED} lists and objects in each other"
    ]


def test_a_loaded_ruleset_is_the_callers_own() -> None:
    """What is read of a file is kept, and nobody who changes what he was given changes what others get."""
    first = shipped.load("dam-parker")
    first.document["cap_of_nobody"] = first.parameters["cap_of_nobody"] = 1
    again = shipped.load("dam-parker")
    assert "cap_of_nobody" not in again.document
    assert "cap_of_nobody" not in again.parameters


def test_names_most_alike_are_those_of_difflib() -> None:
    numbers = random.Random(45)
    for _ in range(300):
        words = ["".join(numbers.choices("abc-", k=numbers.randrange(7))) for _ in range(numbers.randrange(1, 12))]
        word, *names = words
        for least, most in ((0, 1), (0.4, 1), (0.5, 3)):
            assert alike(word, names, least, most) == difflib.get_close_matches(word, names, most, least)
