"""The generator against its published vectors, in both engines; bounded draws without bias."""

import itertools

import numpy as np
import pytest

from simulator.engine import randomness, referee_playout
from simulator.engine.randomness import CHANCE, CHOICE, GAMMA, MASK, SEARCH, Draws, mix, stream_key
from simulator.engine.randomness_kernel import below, open_streams, word
from tests.engine.rulesets import RULESETS

# SplitMix64 started from 1234567: the outputs published with the reference implementation (Vigna, splitmix64.c) and
# repeated by other programmes' tests.
SEEDED_1234567 = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def kernel_stream(key):
    """One stream of the kernel's with this key."""
    return np.array([[key, 0]], dtype=np.uint64)


def test_referee_draws_the_published_words():
    draws = Draws(1234567)
    assert tuple(draws.word() for _ in range(5)) == SEEDED_1234567


def test_kernel_draws_the_published_words():
    streams = kernel_stream(1234567)
    assert tuple(int(word(streams, 0)) for _ in range(5)) == SEEDED_1234567


def test_draw_i_needs_no_draw_before_it():
    """Draw i is the finaliser of the key plus i golden gammas."""
    assert [mix(1234567 + i * GAMMA & MASK) for i in (5, 1)] == [SEEDED_1234567[4], SEEDED_1234567[0]]


@pytest.mark.parametrize("seed", [0, 1, 20091, 2**31, 2**63 - 1])
def test_streams_of_a_game_have_the_same_keys_in_both_engines(seed):
    for game, first in itertools.product((0, 1, 65_537, 2**40), (CHANCE, CHOICE, SEARCH)):
        streams = np.full((24, 2), 5, dtype=np.uint64)
        open_streams(streams, seed, game, first, first + 7)
        assert streams[first : first + 8, 0].tolist() == [stream_key(seed, game, first + k) for k in range(8)]
        assert streams[first : first + 8, 1].tolist() == [0] * 8
        assert (streams == 5).sum() == 2 * 16  # the others are left alone


def test_no_two_streams_share_a_key():
    keys = {stream_key(seed, game, stream) for seed in range(8) for game in range(200) for stream in range(24)}
    assert len(keys) == 8 * 200 * 24


@pytest.mark.parametrize("bound", [2, 3, 7, 14, 37, 2**31 - 1, 2**31 + 1, 2**32 - 1])
def test_bounded_draws_are_the_same_in_both_engines(bound):
    """The large bounds reject almost half of their words: the loops behind the rejection agree as well."""
    draws, streams = Draws(987654321), kernel_stream(987654321)
    found = [int(below(streams, 0, bound)) for _ in range(300)]
    assert found == [draws.below(bound) for _ in range(300)]
    assert streams[0, 1] == draws.drawn
    assert min(found) >= 0
    assert max(found) < bound


def test_rejection_happens_as_often_as_the_theory_says():
    """Of the 2**32 half-words, (2**32 mod n) are rejected: for n = 2**31 + 1 that is 2**31 - 1, one half."""
    draws = Draws(3)
    for _ in range(20_000):
        draws.below(2**31 + 1)
    # Words used per draw: geometric with p = 1/2, mean 2, variance 2; five standard errors of 20,000 draws are 0.05.
    assert abs(draws.drawn / 20_000 - 2) < 0.05


def test_bounded_draws_are_exactly_uniform_over_all_words(monkeypatch):
    """The same arithmetic on words of 8 bits, every one of them: each number comes from equally many accepted words."""
    for bound in range(2, 40):
        accepted = [0] * bound
        for half in range(256):
            product = half * bound
            if product & 0xFF >= 256 % bound:
                accepted[product >> 8] += 1
        assert set(accepted) == {256 // bound}
        # And the referee's draw is that arithmetic on 32 bits: the least word that is accepted gives the number the
        # fraction says.
        least = next(half for half in itertools.count() if (half * bound & 0xFFFFFFFF) >= (1 << 32) % bound)
        words = iter([half << 32 for half in range(least + 1)])
        monkeypatch.setattr(Draws, "word", lambda self, words=words: next(words))
        assert Draws(0).below(bound) == least * bound >> 32
        assert next(words, None) is None


def test_draws_of_seven_fit_the_uniform_distribution():
    """Chi-square with 6 degrees of freedom, 70,000 draws of a fixed seed: below 22.46, the 0.999 quantile."""
    draws = Draws(stream_key(1, 0, CHOICE))
    counts = np.bincount([draws.below(7) for _ in range(70_000)], minlength=7)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 22.46


@pytest.mark.parametrize("bound", [0, 1])
def test_a_single_option_draws_nothing(bound):
    draws, streams = Draws(5), kernel_stream(5)
    assert (draws.below(bound), int(below(streams, 0, bound))) == (0, 0)
    assert (draws.drawn, int(streams[0, 1])) == (0, 0)


def test_forced_moves_leave_the_streams_alone(monkeypatch):
    """In a whole game each seat has drawn at least once a decision, and only at decisions."""
    opened = []

    class Watched(randomness.Draws):
        def __init__(self, key):
            super().__init__(key)
            opened.append(self)

    monkeypatch.setattr(referee_playout, "Draws", Watched)
    plies = list(itertools.islice(referee_playout.plies(RULESETS["puhulmutu-ludii"], 4, 2), 400))
    decisions = [sum(ply.options > 1 for ply in plies if ply.seat == seat) for seat in (0, 1)]
    assert any(ply.options == 1 for ply in plies)
    # A rejected word is a matter of 2**-28 here: a fixed seed, so the numbers are equal or the test says so.
    assert [draws.drawn for draws in opened[CHOICE : CHOICE + 2]] == decisions
