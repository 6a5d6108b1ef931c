"""Traits about where figures go."""

from __future__ import annotations

from ..rules.figures import room, stat_value
from ..rules.flow import (
    ACTION_INVADE,
    ACTION_JOIN,
    ACTION_KEEP_FIGURE,
    ACTION_PLAY,
    ACTION_PROTECT,
    QUESTION_TURN,
)
from ..rules.ids import (
    N_AGES,
    N_PROVINCES,
    PLACE_RESERVE,
    PLACE_VALHALLA,
    PLACE_YGGDRASIL,
    STAT_HORNS,
    STAT_RAGE,
)
from ..rules.jit import kernel
from ..rules.tables import FIGURE_LEADER, FIGURE_SHIP, FIGURE_WARRIOR, N_FIGURES
from .area import figure_points, is_doomed
from .circumstances import brings, is_fresh, is_late, left_place, pillages
from .odds import battle_odds
from .terms import TERM_TRAIT, add

LOCK_BEST, LOCK_DOOMED, LOCK_SAFE = range(3)  # values of lock_target


# ---------------------------------------------------------------- locking


@kernel
def can_lock(view, tables, province):
    """Whether the own clan may have figures enough to fill a province in which no rival is."""
    horns = int(stat_value(view.clans[view.seat], tables, STAT_HORNS))
    own = int(view.board.count[province, view.seat])
    return view.board.destroyed[province] == 0 and view.board.crowd[province] == own and tables.villages[province] <= horns


@kernel
def lock_worth(view, tables, province):
    """How good a province is to lock: own figures there, quests and a token speak for it, empty villages against it."""
    own = float(view.board.count[province, view.seat])
    empty = float(room(view.board, tables, province))
    left = float(stat_value(view.clans[view.seat], tables, STAT_HORNS) - view.clans[view.seat].on_board)
    worth = 3.0 * own + 0.4 * view.appraisal.outlook.stake[province] - 1.2 * empty
    if view.board.pillaged[province] == 0:
        worth += 2.0
    return worth - 5.0 * max(0.0, empty - left)


@kernel
def lock_place(view, tables, choice):
    """The outer province to lock, by the value of lock_target; -1 if there is none."""
    best = -1e9
    found = -1
    for province in range(N_PROVINCES):
        if province == PLACE_YGGDRASIL or not can_lock(view, tables, province):
            continue
        if choice != LOCK_BEST and is_doomed(view, tables, province) != (choice == LOCK_DOOMED):
            continue
        worth = lock_worth(view, tables, province)
        if worth > best:
            best = worth
            found = province
    return found


@kernel
def lock_province(view, tables, index, option, choice, factor):
    """Fill one province, with the ship beside it, pillage it when it is full, and stay."""
    target = lock_place(view, tables, choice)
    place = int(option.place)
    if target < 0:
        return
    if brings(option):
        if place == target:
            add(view, index, TERM_TRAIT, 5.0 * factor)
        elif place == tables.fjord_of[target] and view.board.count[place, view.seat] == 0:
            add(view, index, TERM_TRAIT, 2.5 * factor)
        if left_place(option) == target:
            add(view, index, TERM_TRAIT, -6.0 * factor)
    elif pillages(view, option) and place == target:
        if view.board.count[target, view.seat] == tables.villages[target]:
            add(view, index, TERM_TRAIT, 6.0 * factor)
        elif room(view.board, tables, target) > 0 and view.clans[view.seat].rage > 1:
            add(view, index, TERM_TRAIT, -4.0 * factor)


# ---------------------------------------------------------------- who comes first


@kernel
def ship_first(view, index, option, factor):
    """While the ship can be paid it comes before warriors."""
    clan = view.clans[view.seat]
    waits = view.board.figures[PLACE_RESERVE, view.seat, FIGURE_SHIP] > 0 and clan.rage >= clan.figure_str[FIGURE_SHIP]
    if waits and option.action == ACTION_INVADE:
        if option.figure == FIGURE_SHIP:
            add(view, index, TERM_TRAIT, 6.0 * factor)
        elif option.figure == FIGURE_WARRIOR:
            add(view, index, TERM_TRAIT, -4.0 * factor)


@kernel
def leader_first(view, tables, index, option, factor):
    """Invade with the leader before anything else; below 0 not while more than half of the rage is left."""
    if option.action == ACTION_INVADE and option.figure == FIGURE_LEADER:
        clan = view.clans[view.seat]
        if factor > 0.0 or 2 * clan.rage > stat_value(clan, tables, STAT_RAGE):
            add(view, index, TERM_TRAIT, 8.0 * factor)


# ---------------------------------------------------------------- together or apart


@kernel
def nearness(view, tables, place, origin):
    """How near a place is to own figures other than those in `origin`: 1 in their region, less next to it, 0 elsewhere."""
    near = 0.0
    for province in range(N_PROVINCES):
        if province == PLACE_YGGDRASIL or province == origin or view.board.count[province, view.seat] == 0:
            continue
        for side in range(2):
            goal = place
            if place >= N_PROVINCES:
                goal = int(tables.supports[place - N_PROVINCES, side])
            if tables.region[goal] == tables.region[province]:
                near = 1.0
            elif tables.adjacent[goal, province]:
                near = max(near, 0.5)
    return near


@kernel
def concentration(view, tables, index, option, factor):
    """Invade and march to where own figures are near."""
    place = int(option.place)
    if brings(option) and option.action != ACTION_JOIN and place != PLACE_YGGDRASIL:
        add(view, index, TERM_TRAIT, 4.0 * factor * nearness(view, tables, place, left_place(option)))


# ---------------------------------------------------------------- out of danger


@kernel
def avoid_imminent_pillage(view, tables, index, option, factor):
    """Do not come to a province with a token where a rival who has rage is stronger, unless deaths pay."""
    place = int(option.place)
    if not brings(option) or option.action == ACTION_JOIN or view.appraisal.outlook.release > 0.0:
        return
    if not is_fresh(view, place):
        return
    own = float(view.survey.own[place])
    own += figure_points(view, tables, int(option.figure), place) if option.figure >= 0 else 1.0
    for seat in range(view.clock.players):
        if seat != view.seat and view.clans[seat].rage > 0 and view.survey.strength[place, seat] > own:
            add(view, index, TERM_TRAIT, -6.0 * factor)
            return


@kernel
def wipe_aware(view, tables, index, option, factor):
    """At the end of ages 1 and 2 go to Yggdrasil and into the last village, and stay where no figure can invade."""
    place = int(option.place)
    if view.clock.age == N_AGES or not is_late(view, 3) or not brings(option) or option.action == ACTION_JOIN:
        return
    if place < N_PROVINCES:
        if place == PLACE_YGGDRASIL or room(view.board, tables, place) == 1:
            add(view, index, TERM_TRAIT, 3.0 * factor)
        else:
            add(view, index, TERM_TRAIT, -1.5 * factor)
    origin = left_place(option)
    if 0 <= origin < N_PROVINCES and (origin == PLACE_YGGDRASIL or room(view.board, tables, origin) == 0):
        add(view, index, TERM_TRAIT, -3.0 * factor)


@kernel
def rage_value(view, figure):
    """What it costs to bring a figure again, in rage; a Leader costs an action."""
    return 0.5 if figure == FIGURE_LEADER else float(view.clans[view.seat].figure_str[figure])


@kernel
def rage_value_around(view, tables, province):
    """The same of all own figures in a province and its fjord."""
    fjord = int(tables.fjord_of[province])
    total = 0.0
    for figure in range(N_FIGURES):
        count = int(view.board.figures[province, view.seat, figure])
        if fjord >= 0:
            count += int(view.board.figures[fjord, view.seat, figure])
        total += count * rage_value(view, figure)
    return total


@kernel
def preserve_units(view, tables, index, option, factor):
    """At the end of ages 1 and 2 a figure that lives on is worth the rage that it costs."""
    if view.clock.age == N_AGES or not is_late(view, 3):
        return
    place = int(option.place)
    if pillages(view, option):
        risk = 1.0 - view.appraisal.outlook.win[place]
        add(view, index, TERM_TRAIT, -risk * rage_value_around(view, tables, place) * factor)
    elif option.action == ACTION_PLAY:
        province = int(view.battle.province)
        points = 0.15 * float(tables.battle_str[option.card])
        add(view, index, TERM_TRAIT, points * rage_value_around(view, tables, province) * factor)
    elif option.action == ACTION_KEEP_FIGURE or option.action == ACTION_PROTECT:
        add(view, index, TERM_TRAIT, rage_value(view, int(option.figure)) * factor)
    elif brings(option):
        worth = rage_value(view, int(option.figure)) if option.figure >= 0 else 1.0
        if option.action == ACTION_JOIN:
            risk = 1.0 - battle_odds(view, place, figure_points(view, tables, int(option.figure), place))
            add(view, index, TERM_TRAIT, -risk * worth * factor)
            return
        origin = left_place(option)
        if is_doomed(view, tables, place):
            add(view, index, TERM_TRAIT, -2.0 * worth * factor)
        elif origin < 0:
            add(view, index, TERM_TRAIT, worth * factor)
        elif is_doomed(view, tables, origin):
            add(view, index, TERM_TRAIT, 2.0 * worth * factor)


# ---------------------------------------------------------------- a place to be


@kernel
def gather(view, tables, index, option, place, worth):
    """Add `worth` for a figure that comes to a place and take it off for one that leaves it."""
    if brings(option):
        if option.place == place:
            add(view, index, TERM_TRAIT, worth)
        elif left_place(option) == place:
            add(view, index, TERM_TRAIT, -worth)


@kernel
def ragnarok_presence(view, tables, index, option, factor):
    """Come to the doomed province and its fjord, and stay there."""
    if brings(option):
        origin = left_place(option)
        if is_doomed(view, tables, int(option.place)):
            add(view, index, TERM_TRAIT, 3.0 * factor)
        elif origin >= 0 and is_doomed(view, tables, origin):
            add(view, index, TERM_TRAIT, -3.0 * factor)


@kernel
def yggdrasil_focus(view, tables, index, option, factor):
    """Gather in Yggdrasil; less so with a clear lead there."""
    lead = view.survey.own[PLACE_YGGDRASIL] - view.survey.rival[PLACE_YGGDRASIL]
    gather(view, tables, index, option, PLACE_YGGDRASIL, (5.0 if lead < 5 else 2.0) * factor)


@kernel
def carry_yggdrasil(view, tables, index, option, factor):
    """With the last 2 rage of ages 1 and 2 gather in Yggdrasil."""
    if view.clock.age < N_AGES and is_late(view, 2) and option.action != ACTION_JOIN:
        gather(view, tables, index, option, PLACE_YGGDRASIL, 5.0 * factor)


# ----------------------------------------------------------------


@kernel
def on_turn(view, tables, traits, index, option):
    """The traits of this file about actions only."""
    if traits.leader_first != 0.0:
        leader_first(view, tables, index, option, traits.leader_first)
    if traits.ship_first > 0.0:
        ship_first(view, index, option, traits.ship_first)


@kernel
def on_any(view, tables, traits, index, option):
    """The traits of this file about every question that moves or risks figures."""
    if view.flow.question == QUESTION_TURN:
        on_turn(view, tables, traits, index, option)
    if traits.preserve_units > 0.0:
        preserve_units(view, tables, index, option, traits.preserve_units)
    if not 0 <= option.place < PLACE_VALHALLA:
        return
    if traits.lock_province > 0.0:
        lock_province(view, tables, index, option, int(traits.lock_target), traits.lock_province)
    if traits.concentration != 0.0:
        concentration(view, tables, index, option, traits.concentration)
    if traits.avoid_imminent_pillage > 0.0:
        avoid_imminent_pillage(view, tables, index, option, traits.avoid_imminent_pillage)
    if traits.wipe_aware > 0.0:
        wipe_aware(view, tables, index, option, traits.wipe_aware)
    if traits.ragnarok_presence != 0.0:
        ragnarok_presence(view, tables, index, option, traits.ragnarok_presence)
    if traits.yggdrasil_focus > 0.0:
        yggdrasil_focus(view, tables, index, option, traits.yggdrasil_focus)
    if traits.carry_yggdrasil > 0.0:
        carry_yggdrasil(view, tables, index, option, traits.carry_yggdrasil)
