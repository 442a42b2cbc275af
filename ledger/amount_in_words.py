"""An amount in Russian words, as a cash document writes it; the kopecks stay figures."""

from __future__ import annotations

from collections.abc import Iterator

UNITS = (
    *("", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять"),
    *("одиннадцать", "двенадцать", "тринадцать", "четырнадцать", "пятнадцать", "шестнадцать", "семнадцать"),
    *("восемнадцать", "девятнадцать"),
)
FEMININE = {1: "одна", 2: "две"}
TENS = ("", "", "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто")
HUNDREDS = ("", "сто", "двести", "триста", "четыреста", "пятьсот", "шестьсот", "семьсот", "восемьсот", "девятьсот")
THOUSANDS = (
    ("тысяча", "тысячи", "тысяч"),
    ("миллион", "миллиона", "миллионов"),
    ("миллиард", "миллиарда", "миллиардов"),
    ("триллион", "триллиона", "триллионов"),
    ("квадриллион", "квадриллиона", "квадриллионов"),
    ("квинтиллион", "квинтиллиона", "квинтиллионов"),
)
ROUBLE = ("рубль", "рубля", "рублей")
KOPECK = ("копейка", "копейки", "копеек")


def amount_in_words(minor: int) -> str:
    """Roubles and kopecks told by minor units of a hundredth: 102105 is «Одна тысяча двадцать один рубль 05 копеек».

    Raises:
        ValueError: an amount below zero, which no cash document pays.
    """
    if minor < 0:
        raise ValueError(f"no document pays {minor}")
    roubles, kopecks = divmod(minor, 100)
    said = " ".join(_words(roubles)) or "ноль"
    text = f"{said} {counted(roubles, ROUBLE)} {kopecks:02d} {counted(kopecks, KOPECK)}"
    return text[0].upper() + text[1:]


def _words(number: int) -> Iterator[str]:
    rest, lowest = divmod(number, 1000)
    groups = []
    while rest:
        rest, group = divmod(rest, 1000)
        groups.append(group)
    for place in reversed(range(len(groups))):
        if groups[place]:
            # Only a thousand is feminine among them.
            yield from _under_thousand(groups[place], feminine=place == 0)
            yield counted(groups[place], THOUSANDS[place])
    yield from _under_thousand(lowest, feminine=False)


def _under_thousand(number: int, *, feminine: bool) -> Iterator[str]:
    hundreds, rest = divmod(number, 100)
    tens, units = divmod(rest, 10) if rest >= 20 else (0, rest)
    unit = FEMININE.get(units, UNITS[units]) if feminine else UNITS[units]
    yield from filter(None, (HUNDREDS[hundreds], TENS[tens], unit))


def counted(number: int, forms: tuple[str, str, str]) -> str:
    """The form of a noun behind a number: one, two to four, many; eleven to fourteen are many."""
    if number % 100 in range(11, 15):
        return forms[2]
    return forms[0] if number % 10 == 1 else forms[1] if number % 10 in (2, 3, 4) else forms[2]
