"""Numbers of bank accounts (ISO 13616): pure."""

from __future__ import annotations

COUNTRY_AND_CHECK = 4
MODULUS = 97


def is_iban(account: str) -> bool:
    """Whether the check digits of an account of capital letters and digits are right.

    Country and check digits go to the end, letters stand for 10 to 35, and the number leaves 1 when divided by 97.
    """
    turned = account[COUNTRY_AND_CHECK:] + account[:COUNTRY_AND_CHECK]
    return int("".join(str(int(sign, 36)) for sign in turned)) % MODULUS == 1
