"""Pools: fields of opponents.  The opponents of a block are drawn from the pool without replacement, in an order drawn too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import BadValue, unknown
from ..rules.tables import N_SEATS

POOLS: Mapping[str, tuple[str, ...]] = {
    "mixed": ("quests", "battle", "loki", "balanced"),
    "balanced": ("balanced",),
    "tuned": ("balanced@tuned", "quests", "balanced@tuned", "ragnarok"),
    "losers": ("loki", "ragnarok"),
    "fighters": ("battle", "monsters", "pillage_rush"),
    "simple": ("greedy",),
}
SIX = tuple(POOLS)


def read_pools(value: Any, where: str) -> dict[str, tuple[str, ...]]:
    """Pools by name: names of POOLS, or lists of up to four strategies.  Raises BadValue, UnknownName."""
    if not isinstance(value, list) or not value:
        raise BadValue(f"{where}: pools is {value!r:.60}; write a list of pools: {', '.join(POOLS)}, or lists of strategies")
    pools: dict[str, tuple[str, ...]] = {}
    for item in value:
        if isinstance(item, str) and item not in POOLS:
            raise unknown("pool", item, POOLS, where)
        members = POOLS[item] if isinstance(item, str) else tuple(item) if isinstance(item, list) else ()
        if not 1 <= len(members) <= N_SEATS - 1 or not all(isinstance(member, str) for member in members):
            raise BadValue(f"{where}: a pool is {item!r:.60}; write the name of a pool or a list of 1 to {N_SEATS - 1} strategies")
        name = item if isinstance(item, str) else ", ".join(members)
        if name in pools:
            raise BadValue(f"{where}: pool {name} is given twice")
        pools[name] = members
    return pools
