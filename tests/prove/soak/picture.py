"""The run as a picture: charts under one another in one SVG, minutes from left to right, kills as bars across them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pygal
from pygal.style import Style

WIDTH, HEIGHT = 1100, 380
KILLS = "kill, until ready again"
COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd", "#d62728", "#17becf", "#8c564b")
GREY = "#999999"
POINTS = 240
"""At most so many of a line, or it is a smear."""
Line = Sequence[tuple[float, float]]


def draw(path: Path, charts: Mapping[str, Mapping[str, Line]], kills: Sequence[tuple[float, float]]) -> None:
    """Draw lines of (second, figure), a chart for each title; ``kills`` are from and until when."""
    drawn = [_chart(title, lines, kills) for title, lines in charts.items()]
    placed = [
        f'<svg y="{number * HEIGHT}" width="{WIDTH}" height="{HEIGHT}">{chart}</svg>'
        for number, chart in enumerate(drawn)
    ]
    whole = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT * len(drawn)}">'
    path.write_text(f"{whole}{''.join(placed)}</svg>", "utf-8")


def _chart(title: str, lines: Mapping[str, Line], kills: Sequence[tuple[float, float]]) -> str:
    chart = pygal.XY(
        width=WIDTH,
        height=HEIGHT,
        js=[],
        style=Style(colors=(*COLOURS[: len(lines)], GREY), opacity=".25", background="white", plot_background="white"),
        truncate_legend=-1,
        title=title,
        x_title="minutes",
        show_dots=False,
        allow_interruptions=True,
        range=(0, None),
    )
    highest = max((figure for line in lines.values() for _, figure in line), default=1.0)
    for name, line in lines.items():
        chart.add(name, [(second / 60, figure) for second, figure in line[:: len(line) // POINTS + 1]])
    bars = [
        point
        for began, ended in kills
        for point in ((began / 60, 0), (began / 60, highest), (ended / 60, highest), (ended / 60, 0), (None, None))
    ]
    chart.add(KILLS, bars, stroke_style={"width": 0.1}, fill=True)
    return str(chart.render(is_unicode=True, disable_xml_declaration=True))
