"""Figures and places.  Rules 1.1 to 1.4."""

from __future__ import annotations

from collections import Counter

from .cards import card_name
from .data import NO_LIMIT, RESERVE, VALHALLA, YGGDRASIL, Figure
from .table import Table, clan_of, rule, seats_from


def figure_effect(table: Table, figure: str) -> str:
    """Effect of the monster card behind `figure`; ``none`` for the others."""
    if figure in table.monsters:
        effect: str = table.monsters[figure]["effect"]
        return effect
    return "none"


def is_ship_like(table: Table, figure: str) -> bool:
    """Ship or Sea Serpent.  Rule 1.4.1."""
    return figure == "ship" or figure_effect(table, figure) == "counts_as_ship"


def is_leader_like(table: Table, figure: str) -> bool:
    """Leader or Mountain Giant.  Rule 1.4.1."""
    return figure == "leader" or figure_effect(table, figure) == "counts_as_leader"


def figures_at(table: Table, seat: int, place: str) -> list[str]:
    """Names of the figures of `seat` in one place, a copy."""
    return list(clan_of(table, seat)["figures"].get(place, []))


def put_figure(table: Table, seat: int, figure: str, place: str) -> None:
    """Add a figure of `seat` to `place`; the reserve keeps no list."""
    if place != RESERVE:
        figures = clan_of(table, seat)["figures"]
        figures[place] = sorted(figures.get(place, []) + [figure])


def take_figure(table: Table, seat: int, figure: str, place: str) -> None:
    """Remove a figure of `seat` from `place`; the reserve keeps no list."""
    if place != RESERVE:
        figures = clan_of(table, seat)["figures"]
        figures[place].remove(figure)
        if not figures[place]:
            del figures[place]


def move_figure(table: Table, seat: int, figure: str, origin: str, destination: str) -> None:
    """Move one figure of `seat` between two places."""
    take_figure(table, seat, figure, origin)
    put_figure(table, seat, figure, destination)


def reserve_of(table: Table, seat: int) -> Counter[str]:
    """Figures of `seat` in the reserve: all it owns that stand nowhere else.  Rule 1.4."""
    start = table.board["clan"]
    owned: Counter[str] = Counter(warrior=start["warriors"], leader=start["leaders"], ship=start["ships"])
    for card in clan_of(table, seat)["upgrades"]:
        if table.cards[card]["kind"] == "monster":
            owned[card_name(card)] += 1
    for figures in clan_of(table, seat)["figures"].values():
        for figure in figures:
            owned[figure] -= 1
            if owned[figure] < 0:
                raise ValueError(f"seat {seat} has a '{figure}' too many")
    return +owned


def figures_on_board(table: Table, seat: int) -> list[tuple[str, str]]:
    """(name, place) of every figure of `seat` in provinces and fjords."""
    found = []
    for place, figures in clan_of(table, seat)["figures"].items():
        if place != VALHALLA:
            for figure in figures:
                found.append((figure, place))
    return found


def is_destroyed(table: Table, province: str) -> bool:
    """Whether the province is out of the game.  Rule 1.1."""
    return province in table.position["board"]["destroyed"]


def is_pillaged(table: Table, province: str) -> bool:
    """Whether the province has been pillaged in this age.  Rule 6.9.1."""
    return province in table.position["board"]["pillaged"]


def empty_villages(table: Table, province: str) -> int:
    """Number of figures that may still enter; no limit in Yggdrasil.  Rules 1.1, 1.2."""
    if is_destroyed(table, province):
        return 0
    if province == YGGDRASIL:
        return NO_LIMIT
    room = table.villages[province]
    for seat in seats_from(table, 0):
        room -= len(figures_at(table, seat, province))
    return room


def is_open_fjord(table: Table, fjord: str) -> bool:
    """Whether something may be placed in the fjord.  Rule 1.3.2."""
    if rule(table, "dead_fjord") == "open":
        return True
    return any(not is_destroyed(table, province) for province in table.fjords[fjord])


def places_of_area(table: Table, province: str) -> list[str]:
    """The province and its supporting fjord.  Rule 1.3.1."""
    places = [province]
    for fjord, supported in table.fjords.items():
        if province in supported:
            places.append(fjord)
    return places


def figures_in_area(table: Table, seat: int, province: str) -> list[Figure]:
    """Every figure of `seat` in the area of `province`.  Rule 1.3.1."""
    found = []
    for place in places_of_area(table, province):
        for figure in figures_at(table, seat, place):
            found.append((seat, figure, place))
    return found
