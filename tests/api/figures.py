"""Figures as a scraper reads them."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families


def read(exposition: str) -> dict[str, float]:
    """Every sample by its name, without the house's prefix, and labels: ``bets_placed_total{game=totolot_variant}``."""
    found = {}
    for family in text_string_to_metric_families(exposition):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            name = sample.name.removeprefix("totalizator_")
            found[f"{name}{{{labels}}}" if labels else name] = sample.value
    return found


def grown(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    """What became more, and by how much."""
    return {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}
