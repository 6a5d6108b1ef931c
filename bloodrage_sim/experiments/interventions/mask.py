"""`hide`: a channel of information is hidden from a seat.

    hide = [{ channels = ["doom"] }]

Keys: `channels` (`doom`: the doom schedule, shown at random instead; `draft_board`: figures on the map during drafts; `history`: cards
seen in packs, discarded and known to be in hands), `to` (focal, others, all or the name of a strategy; focal if left out).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import BadValue
from ...steering.channels import CHANNELS
from ..building import ArmBuilder
from ..reading import check_keys, read_words


@dataclass(frozen=True)
class Hide:
    """Channels hidden from seats; see above."""

    channels: tuple[str, ...]
    to: tuple[str, ...]
    where: str

    @classmethod
    def read(cls, table: Any, where: str) -> Hide:
        """Raises BadValue, UnknownName."""
        check_keys(table, ("channels", "to"), where)
        channels = read_words(table, "channels", where, CHANNELS)
        to = read_words(table, "to", where)
        if not channels:
            raise BadValue(f"{where} hides nothing; give channels, of {', '.join(CHANNELS)}")
        if {"left", "right"} & set(to):
            raise BadValue(f"{where}: to is {', '.join(to)}; a channel is hidden from focal, others, all or a strategy by name")
        return cls(channels, to, where)

    def lay(self, builder: ArmBuilder) -> None:
        """Hide the channels in an arm."""
        builder.hide(self.channels, self.to, self.where)
