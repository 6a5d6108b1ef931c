"""The board as a picture: eight provinces in a ring around Yggdrasil, the fjords outside, a number and a colour in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

from ..data import reader

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Normalize

# the colours that board.toml names, as people with any colour vision can tell them apart
REGION_COLOURS = {"yellow": "#E69F00", "blue": "#0072B2", "grey": "#7F7F7F"}
COLOUR_MAP = "YlGnBu"
_EMPTY = "#FFFFFF"
_INK = "#222222"

# radii, in units of the map, whose provinces reach to 1
_TREE, _INNER, _OUTER, _RIM = 0.33, 0.36, 1.0, 1.07
_FJORD_AT, _FJORD = 1.36, 0.25
_REACH = 1.25
_SECTOR = 45  # degrees


@dataclass(frozen=True)
class PlaceText:
    """What stands in a place: a number for its colour, and two lines; number is nan for a place that no game has."""

    number: float
    value: str
    error: str


def draw_board(axes: Axes, places: Mapping[str, PlaceText], norm: Normalize, title: str) -> None:
    """Draw the board into `axes`.

    places : by id of the province or fjord; norm : from numbers to colours of COLOUR_MAP
    """
    board = reader.board()
    axes.set_title(title, fontsize=10)
    axes.set_xlim(-_REACH, _REACH)
    axes.set_ylim(-_REACH, _REACH)
    axes.set_aspect("equal")
    axes.axis("off")
    colours = {region["id"]: REGION_COLOURS[region["colour"]] for region in board["region"]}
    for province in board["province"]:
        if province["ring"] < 0:
            _circle(axes, (0, 0), _TREE, places[province["id"]], norm, province["name"])
        else:
            _sector(axes, province["ring"], places[province["id"]], norm, province["name"], colours[province["region"]])
    rings = {province["id"]: province["ring"] for province in board["province"]}
    for fjord in board["fjord"]:
        first, second = (_direction(rings[province]) for province in fjord["provinces"])
        # the middle of two neighbours, also across the end of the ring
        middle = (first + second) / 2 if abs(first - second) < 180 else (first + second) / 2 + 180
        _circle(axes, _point(middle, _FJORD_AT), _FJORD, places[fjord["id"]], norm, "fjord")


def _direction(ring: int) -> float:
    """Degrees, counted as matplotlib does, of the middle of a province; ring 1 is the first one clockwise from the top."""
    return 90 - (ring - 0.5) * _SECTOR


def _point(degrees: float, radius: float) -> tuple[float, float]:
    return radius * cos(degrees * pi / 180), radius * sin(degrees * pi / 180)


def _sector(axes: Axes, ring: int, place: PlaceText, norm: Normalize, name: str, region: str) -> None:
    from matplotlib.patches import Wedge

    middle = _direction(ring)
    ends = middle - _SECTOR / 2, middle + _SECTOR / 2
    fill = _fill(place, norm)
    axes.add_patch(Wedge((0, 0), _OUTER, *ends, width=_OUTER - _INNER, edgecolor="white", linewidth=1.5, **fill))
    axes.add_patch(Wedge((0, 0), _RIM, ends[0] + 0.8, ends[1] - 0.8, width=_RIM - _OUTER, color=region, linewidth=0))
    _write(axes, _point(middle, 0.72), place, name, fill["facecolor"])


def _circle(axes: Axes, at: tuple[float, float], radius: float, place: PlaceText, norm: Normalize, name: str) -> None:
    from matplotlib.patches import Circle

    fill = _fill(place, norm)
    axes.add_patch(Circle(at, radius, edgecolor="#56B4E9" if name == "fjord" else "#009E73", linewidth=1.2, **fill))
    _write(axes, at, place, name, fill["facecolor"])


def _fill(place: PlaceText, norm: Normalize) -> dict[str, Any]:
    from matplotlib import colormaps

    if place.number != place.number:
        return {"facecolor": _EMPTY, "hatch": "///"}
    return {"facecolor": colormaps[COLOUR_MAP](norm(place.number))}


def _write(axes: Axes, at: tuple[float, float], place: PlaceText, name: str, ground: Any) -> None:
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(ground)
    ink = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else _INK
    x, y = at
    style = {"ha": "center", "va": "center", "color": ink}
    axes.text(x, y + 0.13, name, fontsize=6.5, **style)
    axes.text(x, y, place.value, fontsize=9, fontweight="bold", **style)
    axes.text(x, y - 0.13, place.error, fontsize=6, **style)
