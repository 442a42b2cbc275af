"""Games are found because they are there, and by their codes; no code is used twice."""

from types import ModuleType
from typing import Any

import pytest

from tote.games.register import FAMILIES, GAMES, families_of, game, game_in, registered
from tote.games.totolot_variant import GAME, TotolotVariant
from tote.rules.refusal import RuleError

FOUR = ["sportloto_position", "sportloto_variant", "totolot_position", "totolot_variant"]


def a_module(**told: Any) -> ModuleType:
    module = ModuleType("tote.games.lotto")
    vars(module).update(told)
    return module


def test_the_games_are_the_modules_that_lie_there_in_the_order_of_their_names():
    assert list(GAMES) == FOUR
    assert [known.code for known in GAMES.values()] == FOUR


def test_a_game_is_found_by_its_code():
    assert game("totolot_variant") is GAME


def test_every_game_has_its_words_in_russian():
    said = [words for known in GAMES.values() for words in (known.title, known.family_title, known.payment_words)]
    assert all(words and not words.isascii() for words in said)
    assert len({known.title for known in GAMES.values()}) == len(GAMES)


def test_the_families_are_those_of_the_games():
    assert FAMILIES == {"sportloto": "Спортлото", "totolot": "Тотолот"}


@pytest.mark.parametrize("code", ["lotto", "", None, 5, ["totolot_variant"]])
def test_an_unknown_game_is_told_the_known_ones(code):
    with pytest.raises(RuleError) as refused:
        game(code)
    assert (refused.value.code, refused.value.field) == ("unknown_game", "game")
    assert "totolot_variant" in refused.value.message


def test_a_code_is_not_used_twice():
    with pytest.raises(ValueError, match="used twice"):
        registered(GAME, TotolotVariant())


def test_a_family_has_one_name():
    other = TotolotVariant()
    other.family_title = "Тотолото"
    with pytest.raises(ValueError, match="two names: Тотолот, Тотолото"):
        families_of([GAME, other])


def test_a_module_among_the_games_that_is_none_is_named():
    with pytest.raises(ValueError, match=r"tote\.games\.lotto is no game: it has no GAME"):
        game_in(a_module())


def test_a_game_that_lacks_something_is_told_what():
    class Lotto:
        code = "lotto"
        family = family_title = "лото"

    with pytest.raises(ValueError, match=r"its GAME has no title, payment_words, by_positions, .*payment_term\.$"):
        game_in(a_module(GAME=Lotto()))


def test_the_register_cannot_be_changed_in_passing():
    with pytest.raises(TypeError):
        GAMES["totolot_variant"] = None
