"""What the demonstration shows: headings with the trade's time, lines, and tables that need no colour to be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH_OF_A_FILE = 120
LEFT = "<"
"""A heading that begins with this sign stands over words; the others stand over figures."""


class Screen:
    """The screen, or a file when the output is no terminal."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console()
        if not self._console.is_terminal:
            self._console.width = WIDTH_OF_A_FILE

    def heading(self, title: str, at: datetime | None = None) -> None:
        """A new part of the telling; ``at`` is the trade's time, by the clock in Minsk."""
        shown = f"{at:%d.%m.%Y %H:%M}  {title}" if at else title
        self._console.print()
        self._console.rule(Text(shown, "bold"), align="left", characters="─")

    def line(self, text: str) -> None:
        """One line; long ones are wrapped."""
        self._console.print(Text(text))

    def table(self, title: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """A table of rows as given; what is not there is shown as a dash."""
        table = Table(
            title=Text(title, no_wrap=True, overflow="ignore"),
            title_justify="left",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
        )
        for heading in headings:
            table.add_column(heading.removeprefix(LEFT), justify="left" if heading.startswith(LEFT) else "right")
        for row in rows:
            table.add_row(*(Text("—" if value is None else str(value)) for value in row))
        self._console.print(table)
