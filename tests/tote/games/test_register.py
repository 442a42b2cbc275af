"""Games are found by their codes, and no code is used twice."""

import pytest

from tote.games.register import CALCULATED, GAMES, game, registered
from tote.games.totolot_variant import TOTOLOT_VARIANT, TotolotVariant
from tote.rules.refusal import RuleError


def test_a_game_is_found_by_its_code():
    assert game("totolot_variant") is TOTOLOT_VARIANT
    assert all(known.code == code for code, known in CALCULATED.items())
    assert GAMES.items() <= CALCULATED.items()


@pytest.mark.parametrize("code", ["lotto", "", None, 5, ["totolot_variant"]])
def test_an_unknown_game_is_told_the_known_ones(code):
    with pytest.raises(RuleError) as refused:
        game(code)
    assert (refused.value.code, refused.value.field) == ("unknown_game", "game")
    assert "totolot_variant" in refused.value.message


def test_a_code_is_not_used_twice():
    with pytest.raises(ValueError, match="used twice"):
        registered(TOTOLOT_VARIANT, TotolotVariant())


def test_the_register_cannot_be_changed_in_passing():
    with pytest.raises(TypeError):
        GAMES["totolot_variant"] = None
