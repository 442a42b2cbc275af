"""Passwords everybody tries first: words, runs along the keyboard, a few signs repeated (NIST SP 800-63B, blocklist).

The list is our own and short, for most of what leaked lists hold is one of these words with digits around it, and
shorter than any password allowed here.
"""

from __future__ import annotations

LONGEST_UNIT = 4
"""A password that is so few signs repeated is common, whatever the signs."""

RUNS = (
    "01234567890123456789",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "q1w2e3r4t5y6u7i8o9p0",
    "1q2w3e4r5t6y7u8i9o0p",
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "йцукенгшщзхъфывапролджэячсмитьбю",
    "1й2ц3у4к5е6н7г8ш9щ0з",
    "й1ц2у3к4е5н6г7ш8щ9з0",
)
_WORDS = """
password passwort passw0rd p@ssword p@ssw0rd parol secret letmein welcome changeme default iloveyou trustno1
admin administrator root user guest test testing master manager cashier supervisor accountant organizer auditor
qwerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc monkey dragon football baseball basketball
superman batman pokemon princess sunshine shadow michael jordan charlie andrew jessica computer internet samsung
totalizator totolot sportloto jackpot bookmaker casino betting gambler winner lottery
moscow minsk russia belarus belorussia spartak dinamo zenit hockey
пароль секрет админ администратор кассир директор бухгалтер пользователь гость
йцукен йцукенг фывапр фывапролдж ячсмить любовь солнце привет наташа марина сергей андрей александр
тотализатор тотолот спортлото джекпот букмекер казино ставка выигрыш лотерея
москва минск россия беларусь белоруссия спартак динамо зенит футбол хоккей
"""
WORDS = frozenset(_WORDS.split())


def is_common(password: str) -> bool:
    """Whether a password, folded to one case, is among the first that somebody would try."""
    return _is_repeated(password) or _is_run(password) or _is_word(password)


def without_ornament(text: str) -> str:
    """A text without the digits and signs that people put around a word to make it look like a password."""
    letters = [place for place, sign in enumerate(text) if sign.isalpha()]
    return text[letters[0] : letters[-1] + 1] if letters else ""


def _is_repeated(password: str) -> bool:
    return any(password == (password[:unit] * len(password))[: len(password)] for unit in range(1, LONGEST_UNIT + 1))


def _is_run(password: str) -> bool:
    return any(password in run or password in run[::-1] for run in RUNS)


def _is_word(password: str) -> bool:
    """One of the words, ornamented or not, once or over and over."""
    for core in (password, without_ornament(password)):
        if any(core and core == (word * len(core))[: len(core)] and len(core) >= len(word) for word in WORDS):
            return True
    return False
