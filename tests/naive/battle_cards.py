"""Cards of a battle up to the late ones.  Rules 6.3 to 6.6."""

from __future__ import annotations

from dataclasses import replace

from .cards import find_card, upgrades_with, written
from .data import Figure
from .destruction import destroy_in_battle
from .figures import figures_at, figures_in_area
from .fray import Battle, Revealed
from .stats import add_glory
from .table import Table, ask, clan_of, rule
from .totals import bonus, cards_value


def texts(fray: Battle, seat: int, effect: str) -> list[Revealed]:
    """Battle cards of `seat` on the table whose text is `effect` and is not cancelled.  Rule 6.3.2."""
    found = []
    for card in fray.revealed[seat]:
        if card.row["kind"] == "battle" and card.row["effect"] == effect and not card.cancelled:
            found.append(card)
    return found


def play_cards_until_no_watch(table: Table, fray: Battle) -> None:
    """Play and reveal, again after every Watch.  Rules 6.3, 6.4."""
    watched = True
    while watched:
        play_cards(table, fray)
        thors_primacy(fray)
        watched = heimdalls_watch(table, fray)


def play_cards(table: Table, fray: Battle) -> None:
    """One card each, chosen in seat order, revealed together.  Rule 6.3.1."""
    chosen: dict[int, list[str]] = {}
    for seat in sorted(fray.fighters):
        hand = clan_of(table, seat)["hand"]
        chosen[seat] = []
        if not hand:
            continue
        moves = [f"play {written(table, card)}" for card in hand]
        if rule(table, "battle_card") == "optional":
            moves.append("decline")
        move = ask(table, seat, "card", moves)
        if move != "decline":
            chosen[seat].append(find_card(table, hand, move.split()[1]))
    fray.revealed = {}
    for seat in fray.fighters:
        fray.revealed[seat] = []
        for card in chosen[seat]:
            reveal(table, fray, seat, card)


def reveal(table: Table, fray: Battle, seat: int, card: str) -> None:
    """Move a card from the hand of `seat` to the table."""
    clan_of(table, seat)["hand"].remove(card)
    fray.revealed[seat].append(Revealed(card, table.cards[card]))


def thors_primacy(fray: Battle) -> None:
    """Every card with an opponent's Primacy on the table loses its text, all at once.  Rule 6.4.1."""
    lords = [seat for seat in fray.fighters if texts(fray, seat, "cancel_enemy_text")]
    for seat in fray.fighters:
        if any(lord != seat for lord in lords):
            for card in fray.revealed[seat]:
                card.cancelled = True


def heimdalls_watch(table: Table, fray: Battle) -> bool:
    """The first Watch scores and discards all cards on the table.  Rules 6.4.2, 6.4.3."""
    watchers = [seat for seat in fray.fighters if texts(fray, seat, "watch")]
    if not watchers:
        return False
    if rule(table, "two_watches") == "first_only":
        watchers = watchers[:1]
    glory = watch_sum(table, fray)
    for seat in watchers:
        add_glory(table, seat, glory)
    for seat in fray.fighters:
        for card in fray.revealed[seat]:
            table.position["discard"].append(card.card)
    return True


def watch_sum(table: Table, fray: Battle) -> int:
    """Sum of the bonuses on the table; Sight and quests 0, or what they would give.  Rule 6.4.2, B16."""
    if rule(table, "watch_counts") == "printed":
        return sum(bonus(card) for seat in fray.fighters for card in fray.revealed[seat])
    as_declared = replace(fray, revealed={})
    for seat in fray.fighters:
        values = quest_values(table, seat)
        as_declared.revealed[seat] = []
        for card in fray.revealed[seat]:
            declared = max(values) if values and card.row["kind"] == "quest" else 0
            as_declared.revealed[seat].append(replace(card, declared=declared))
    return sum(cards_value(as_declared, seat) for seat in fray.fighters)


def smite_and_tide(table: Table, fray: Battle) -> None:
    """In battle order, each resolved completely before the next.  Rule 6.5.1."""
    for seat in fray.fighters:
        for _ in texts(fray, seat, "smite"):
            odins_smite(table, fray, seat)
        for _ in texts(fray, seat, "tide"):
            odins_tide(table, fray)


def odins_smite(table: Table, fray: Battle, smiter: int) -> None:
    """Every other participant loses a Warrior in the province.  Rule 6.5.2."""
    doomed: list[Figure] = []
    for seat in fray.fighters:
        if seat != smiter and "warrior" in figures_at(table, seat, fray.province):
            doomed.append((seat, "warrior", fray.province))
    destroy_in_battle(table, fray, doomed)


def odins_tide(table: Table, fray: Battle) -> None:
    """Every participant keeps one figure in the area.  Rule 6.5.3."""
    doomed: list[Figure] = []
    for seat in fray.fighters:
        own = figures_in_area(table, seat, fray.province)
        if len(own) < 2:
            continue
        moves = [f"keep {figure}@{place}" for _, figure, place in own]
        figure, place = ask(table, seat, "tide", moves).split()[1].split("@")
        own.remove((seat, figure, place))
        doomed += own
    destroy_in_battle(table, fray, doomed)


def quest_values(table: Table, seat: int) -> list[int]:
    """Values that a quest of `seat` may be declared for: Tyr's Domain, Tyr's Wrath.  Rule 6.5.4."""
    return sorted({row["amount"] for row in upgrades_with(table, seat, "quest_as_battle")})


def declare_quests(table: Table, fray: Battle) -> None:
    """A revealed quest may become a battle card.  Rule 6.5.4."""
    for seat in fray.fighters:
        values = quest_values(table, seat)
        for card in fray.revealed[seat]:
            if card.row["kind"] != "quest" or not values:
                continue
            if rule(table, "quest_as_battle") == "automatic":
                card.declared = max(values)
            elif len(values) == 1:
                if ask(table, seat, "quest_as_battle", ["yes", "no"]) == "yes":
                    card.declared = values[0]
            else:
                moves = [f"yes {value}" for value in values]
                move = ask(table, seat, "quest_as_battle", [*moves, "no"])
                card.declared = 0 if move == "no" else int(move.split()[1])


def late_cards(table: Table, fray: Battle) -> None:
    """Heimdall's Eye and Gaze, lap after lap until all decline in a row.  Rule 6.6."""
    declined_in_a_row = 0
    asked = 0
    while declined_in_a_row < len(fray.fighters):
        seat = fray.fighters[asked % len(fray.fighters)]
        asked += 1
        hand = clan_of(table, seat)["hand"]
        moves = ["decline"]
        for card in hand:
            if table.cards[card]["effect"] == "late_play":
                moves.append(f"add {written(table, card)}")
        move = ask(table, seat, "late", moves)
        if move == "decline":
            declined_in_a_row += 1
        else:
            declined_in_a_row = 0
            reveal(table, fray, seat, find_card(table, hand, move.split()[1]))
