"""How often the effects of cards really acted in a game, read from its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from bloodrage_sim.data import reader
from bloodrage_sim.rules import events as ev
from bloodrage_sim.rules import flow, ids
from bloodrage_sim.rules.options import FIRST_CODE

EFFECTS = [row["effect"] for row in reader.card_rows()]
KINDS = [row["kind"] for row in reader.card_rows()]
COSTS = [int(row["cost_or_str"] or 0) for row in reader.card_rows()]

# the effect acted if the event of this kind has a card with it
BY_CARD = {
    ev.EVENT_GLORY: (
        "glory_for_enemy_kills", "release_glory", "ship_death_glory", "winner_glory", "multiply_ragnarok_glory",
        "glory_per_enemy_kill", "loser_steal_glory", "end_glory_per_figure", "multiply_quest_glory",
        "winner_rage_and_glory", "glory_per_destroyed",
    ),
    ev.EVENT_QUEST_DONE: ("most_str_region", "most_str_yggdrasil", "figures_in_valhalla", "most_str_provinces"),
    ev.EVENT_INVADE: ("free_upgrade_and_invade", "counts_as_ship"),
    ev.EVENT_UPGRADE: ("warrior_pairs", "warrior_str"),  # these act on every strength from now on
    ev.EVENT_TEXT: ("smite", "tide"),
    ev.EVENT_LATE: ("late_play",),
    ev.EVENT_WATCH: ("watch",),
    ev.EVENT_FLED: ("escape_to_yggdrasil",),
}  # fmt: skip
# the effect acted if an event of this kind happened at all
BY_KIND = {
    ev.EVENT_DECLARE: "quest_as_battle",
    ev.EVENT_SAVED: "protect_for_rage",
    ev.EVENT_STOLEN: "loser_take_winner_cards",
    ev.EVENT_CANCELLED: "cancel_enemy_text",
    ev.EVENT_LEADER_MOVED: "leader_pillage_move",
}
# the effect acted if this question was not declined
BY_ANSWER = {
    flow.QUESTION_SUCCOR: "extra_warrior_on_invade",
    flow.QUESTION_BLESSING: "warrior_on_battle_loss",
    flow.QUESTION_PROWESS: "winner_keep_cards",
    flow.QUESTION_DOMAIN: "pillage_after_invade",
}
# a monster that kills on its invade acted if something died by the same decision
KILLERS = ("invade_kill_enemy_warriors", "invade_kill_enemy_nonmonsters")
# a text acted if it was not cancelled and its player won, or lost to a winner, or stood in the totals
IF_WON = ("winner_raise_stat",)
IF_LOST = ("loser_steal_rage",)
IN_TOTALS = ("copy_highest_enemy_card",)


def count_questions(events: np.recarray) -> Counter[str]:
    """Decisions by kind of question."""
    asked = np.bincount(events.source[events.kind == ev.EVENT_DECISION], minlength=len(flow.QUESTION_NAMES))
    return Counter({name: int(asked[number]) for number, name in enumerate(flow.QUESTION_NAMES) if asked[number]})


def count_effects(events: np.recarray) -> Counter[str]:
    """Times that each effect acted."""
    reading = _Reading()
    columns = ("kind", "seat", "card", "value", "place", "origin", "source", "decision")
    for row in zip(*(events[name].tolist() for name in columns), strict=True):
        reading.read(*row)
    reading.end_pillage()
    return reading.counts


class _Reading:
    """One game being read, event by event."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.sheets: dict[int, list[str]] = {seat: [] for seat in range(5)}
        self.texts: dict[int, str] = {}
        self.winner, self.losers = -1, set[int]()
        self.pillager, self.place = -1, -1
        self.rewards: list[tuple[str, int]] | None = None  # what a success paid so far, None while nobody succeeded
        self.killer = ("", -1)
        special: dict[int, Callable[..., None]] = {
            ev.EVENT_DECISION: self.decision,
            ev.EVENT_UPGRADE: self.upgrade,
            ev.EVENT_REPLACED: self.replaced,
            ev.EVENT_INVADE: self.invade,
            ev.EVENT_DESTROYED: self.destroyed,
            ev.EVENT_PILLAGE: self.pillage,
            ev.EVENT_REVEAL: self.reveal,
            ev.EVENT_CANCELLED: self.cancelled,
            ev.EVENT_WON: self.won,
            ev.EVENT_LOST: self.lost,
            ev.EVENT_PILLAGED: self.pillaged,
            ev.EVENT_RAISE: self.raised,
            ev.EVENT_GLORY: self.glory,
        }
        self.special = special

    def read(self, kind, seat, card, value, place, origin, source, decision) -> None:
        effect = EFFECTS[card] if card >= 0 else "none"
        if effect in BY_CARD.get(kind, ()):
            self.counts[effect] += 1
        if kind in BY_KIND:
            self.counts[BY_KIND[kind]] += 1
        if kind == ev.EVENT_WATCH:
            self.texts.clear()
        if kind in self.special:
            self.special[kind](seat=seat, card=card, value=value, place=place, origin=origin, source=source, decision=decision)

    def decision(self, seat, value, source, **_) -> None:
        if source in BY_ANSWER and value != FIRST_CODE[flow.ACTION_DECLINE]:
            self.counts[BY_ANSWER[source]] += 1
        if FIRST_CODE[flow.ACTION_SACRIFICE] <= value < FIRST_CODE[flow.ACTION_SACRIFICE + 1]:
            self.counts["action_sacrifice_for_stat"] += source == flow.QUESTION_TURN
        if source == flow.QUESTION_TURN:
            self.end_pillage()
        elif source == flow.QUESTION_RAISE and self.rewards is not None and seat == self.pillager:
            self.rewards.append(("choice", -1))

    def upgrade(self, seat, card, value, **_) -> None:
        self.sheets[seat].append(EFFECTS[card])
        if value < COSTS[card] and not EFFECTS[card] == "free_upgrade_and_invade":
            self.counts["upgrade_discount"] += 1

    def replaced(self, seat, card, **_) -> None:
        self.sheets[seat].remove(EFFECTS[card])

    def invade(self, card, place, origin, decision, **_) -> None:
        effect = EFFECTS[card] if card >= 0 else "none"
        self.killer = (effect if effect in KILLERS else "", decision)
        if effect == "invade_yggdrasil" and place == ids.PLACE_YGGDRASIL:
            self.counts[effect] += 1
        if origin == ids.PLACE_VALHALLA:
            self.counts["action_invade_from_valhalla"] += 1

    def destroyed(self, decision, **_) -> None:
        effect, invaded = self.killer
        if effect and decision == invaded:
            self.counts[effect] += 1
            self.killer = ("", -1)

    def pillage(self, seat, value, place, **_) -> None:
        self.end_pillage()
        self.pillager, self.place = seat, place
        self.counts["action_repillage"] += value

    def reveal(self, seat, card, **_) -> None:
        self.texts[seat] = EFFECTS[card] if KINDS[card] == "battle" else "none"

    def cancelled(self, seat, **_) -> None:
        self.texts[seat] = "none"

    def won(self, seat, **_) -> None:
        self.winner = seat

    def lost(self, seat, **_) -> None:
        self.losers.add(seat)

    def pillaged(self, **_) -> None:
        self.rewards = []

    def raised(self, seat, value, **_) -> None:
        if self.rewards is not None and seat == self.pillager:
            self.rewards.append(("raise", value))

    def glory(self, seat, source, **_) -> None:
        if source == ev.SOURCE_BATTLE and self.rewards is not None:
            self.count_success()
        elif source == ev.SOURCE_PILLAGE and self.rewards is not None:
            self.rewards.append(("glory", -1))

    def count_success(self) -> None:
        """Look at what a success paid, which is complete now.  Rules 6.9.3 to 6.9.5."""
        rewards, sheet = self.rewards or [], self.sheets[self.pillager]
        grace = self.texts.get(self.pillager) == "pillage_extra_stat"
        choices = sum(what == "choice" for what, _ in rewards)
        self.counts["pillage_extra_stat"] += grace and choices > 0
        self.counts["leader_pillage_stat"] += "leader_pillage_stat" in sheet and choices > grace
        if self.place != ids.PLACE_YGGDRASIL:  # its token raises all stats itself
            unasked = rewards[: [*(what for what, _ in rewards), "choice"].index("choice")]
            twice = len(unasked) >= 2 and unasked[0] == unasked[1]
            self.counts["extra_pillage_reward"] += "extra_pillage_reward" in sheet and twice
            stats = {value for what, value in unasked if what == "raise"}
            self.counts["leader_pillage_all_stats"] += "leader_pillage_all_stats" in sheet and len(stats) >= 2
        self.rewards = None

    def end_pillage(self) -> None:
        """Count what the texts of the battle that is over did."""
        if self.rewards is not None:
            self.count_success()
        for seat, effect in self.texts.items():
            won, lost = seat == self.winner, seat in self.losers
            if effect in IF_WON and won or effect in IF_LOST and lost and self.winner >= 0 or effect in IN_TOTALS and (won or lost):
                self.counts[effect] += 1
        self.texts, self.winner, self.losers, self.rewards = {}, -1, set(), None
