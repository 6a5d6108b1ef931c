"""The slow twin of the rules engine: plain loops over plain dicts, straight from the rules.

It shares nothing with the engine but the two data files.  A position is a dict in the layout of
scenario files (as `tomllib` reads it), with two additions: every card carries its age
(``tyrs_crush@2``) and ``position["discard"]`` lists the cards discarded face up.

Every function leaves its argument alone and works on a copy; ``phase``, ``current`` and ``passed``
are never changed.  `answers(seat, kind, legal_moves)` is asked for each decision with two or more
legal answers, in the order of the rules; kinds are those of the traces: ``join``, ``card``,
``tide``, ``quest_as_battle``, ``late``, ``witch``, ``protect``, ``raise``, ``hammers``,
``prowess``, ``blessing``, ``succor``.

Where a card other than a quest is held from two ages, they are one and the same to the rules; the
copy listed first in the (sorted) hand moves.  Compare hands without the age of such cards.

Variants: promo monsters are in, Mystics and Gods are refused.
"""

from .cards import card_name
from .data import RESERVE, VALHALLA, Answers, Position, standard_cards
from .figures import figures_in_area, is_destroyed
from .phases import final_scoring, quest_phase, ragnarok_phase, release_phase, win_shares
from .pillage import battle
from .strength import strength_in
from .table import nobody, open_table
from .turn import turn_moves

__all__ = [
    "Answers",
    "Position",
    "RESERVE",
    "VALHALLA",
    "battle",
    "card_name",
    "figures_in_area",
    "final_scoring",
    "is_destroyed",
    "nobody",
    "open_table",
    "quest_phase",
    "ragnarok_phase",
    "release_phase",
    "standard_cards",
    "strength_in",
    "turn_moves",
    "win_shares",
]
