"""`bloodrage cards`: list the cards."""

from __future__ import annotations

import csv
import io

import click

KINDS = ("warrior", "leader", "ship", "monster", "clan", "upgrade", "battle", "quest")
_HEAD = (
    "id", "name", "kind", "age", "god", "cost", "battle_str", "figure_str", "glory", "copies_2p", "copies_3p",
    "copies_4p", "copies_5p", "source", "effect", "amount", "region", "text",
)  # fmt: skip


@click.command()
@click.argument("names", nargs=-1, metavar="[ID...]")
@click.option("--lang", type=click.Choice(["en", "pl"]), default="en", show_default=True, help="Names of cards.")
@click.option("--age", type=click.IntRange(1, 3), metavar="A", help="Only cards of this age.")
@click.option("--kind", type=click.Choice(KINDS), metavar="KIND", help=f"Only cards of this kind: {', '.join(KINDS)}.")
@click.option(
    "--players", type=click.IntRange(2, 5), metavar="N", help="Only cards that are in the decks with N players."
)
@click.option("--csv", "as_csv", is_flag=True, help="As CSV, a row for each card and age.")
def command(
    names: tuple[str, ...], lang: str, age: int | None, kind: str | None, players: int | None, as_csv: bool
) -> None:
    """List the cards: id, name, kind, age, numbers, copies with 2 to 5 players, text.

    ID is the id of a card, which lists all its ages, or id@age.  Cards of variants that are not built yet are marked.
    """
    from ..data.reader import card_rows
    from ..listings import card_lines, choose_cards

    rows = choose_cards(card_rows(), names, age, kind, players)
    if as_csv:
        table = io.StringIO()
        writer = csv.DictWriter(table, _HEAD, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(_csv_row(row, lang) for row in rows)
        click.echo(table.getvalue(), nl=False)
        return
    for line in card_lines(rows, lang, players):
        click.echo(line)


def _csv_row(row: dict[str, str], lang: str) -> dict[str, str]:
    """A row of cards.csv with one name, one text and a cost that only upgrades have."""
    from ..listings import card_label

    return {**row, "name": card_label(row, lang), "cost": row["cost_or_str"], "text": row["text_en"]}
