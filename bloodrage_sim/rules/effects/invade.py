"""Effects of invading.  Rules 5.10.1, 7, 11.2."""

from ..cards import (
    card_with_effect,
    copy_with_effect,
    effect_amount,
    has_effect,
    monster_effect,
)
from ..events import REASON_CARD, SOURCE_RELEASE, add_glory, change_rage
from ..figures import has_free_village, is_province, may_invade
from ..flow import (
    ACTION_DECLINE,
    ACTION_INVADE,
    ACTION_YES,
    QUESTION_DOMAIN,
    QUESTION_SUCCOR,
    add_option,
    ask,
)
from ..ids import (
    EFFECT_ACTION_INVADE_FROM_VALHALLA,
    EFFECT_EXTRA_WARRIOR_ON_INVADE,
    EFFECT_INVADE_KILL_ENEMY_NONMONSTERS,
    EFFECT_INVADE_KILL_ENEMY_WARRIORS,
    EFFECT_PILLAGE_AFTER_INVADE,
    EFFECT_RELEASE_GLORY,
    N_PROVINCES,
    PLACE_RESERVE,
    PLACE_YGGDRASIL,
)
from ..jit import kernel
from ..ruin import CAUSE_INVADE, begin_ruin, doom_figures
from ..tables import FIGURE_MONSTER, FIGURE_WARRIOR, N_SLOTS, NO_CARD


@kernel
def invade_kill_enemy_warriors(game, seat):
    """Doom all enemy Warriors in the province (Troll).  Rule 7.1."""
    for enemy in range(game.clock.players):
        if enemy != seat:
            doom_figures(game, 0, enemy, FIGURE_WARRIOR)


@kernel
def invade_kill_enemy_nonmonsters(game, tables, seat):
    """Doom all enemy figures in the area that are not monsters (Fire Giant).  Rule 7.1."""
    places = 2 if tables.rule.invade_kill_reach == 0 else 1
    for enemy in range(game.clock.players):
        if enemy != seat:
            for figure in range(FIGURE_MONSTER):
                for place in range(places):
                    doom_figures(game, place, enemy, figure)


@kernel
def kill_on_invade(game, tables, seat, figure, province):
    """Doom what the invading figure kills; returns whether there is anything to destroy.  Rule 7.1."""
    effect = monster_effect(game.clans[seat], figure)
    if effect == EFFECT_INVADE_KILL_ENEMY_WARRIORS:
        begin_ruin(game, tables, CAUSE_INVADE, seat, province)
        invade_kill_enemy_warriors(game, seat)
        return True
    if effect == EFFECT_INVADE_KILL_ENEMY_NONMONSTERS:
        begin_ruin(game, tables, CAUSE_INVADE, seat, province)
        invade_kill_enemy_nonmonsters(game, tables, seat)
        return True
    return False


@kernel
def extra_warrior_on_invade(game, tables, seat, place, brought):
    """Ask for Frigga's Succor after an invade of `place`; `brought` Warriors have come by it already.  Rule 7.2."""
    if brought < effect_amount(game.clans[seat], tables, EFFECT_EXTRA_WARRIOR_ON_INVADE):
        ask(game, QUESTION_SUCCOR, seat, place, brought)


@kernel
def _add_succor(game, tables, options, n, seat, province):
    if game.board.figures[PLACE_RESERVE, seat, FIGURE_WARRIOR] == 0 or not may_invade(game.clans[seat], tables):
        return n
    allowed = has_free_village(game.board, tables, province)
    if province == PLACE_YGGDRASIL:
        allowed = tables.rule.succor_in_yggdrasil != 0
    if allowed:
        n = add_option(options, n, ACTION_INVADE, NO_CARD, FIGURE_WARRIOR, PLACE_RESERVE, province)
    return n


@kernel
def list_succor(game, tables, options, seat, place):
    """Options of QUESTION_SUCCOR; after a ship's invade the player names one supported province."""
    n = add_option(options, 0, ACTION_DECLINE)
    if is_province(place):
        return _add_succor(game, tables, options, n, seat, place)
    n = _add_succor(game, tables, options, n, seat, tables.supports[place - N_PROVINCES, 0])
    return _add_succor(game, tables, options, n, seat, tables.supports[place - N_PROVINCES, 1])


@kernel
def pillage_after_invade(game, seat, place):
    """Ask for Thor's Domain after an invade of `place`, at most once a turn.  Rule 7.3."""
    if has_effect(game.clans[seat], EFFECT_PILLAGE_AFTER_INVADE) and game.clock.domain_used == 0:
        ask(game, QUESTION_DOMAIN, seat, place)


@kernel
def domain_cost(clan, tables):
    """Rage that Thor's Domain costs `seat`.  Rule 7.3."""
    return tables.amount[card_with_effect(clan, tables, EFFECT_PILLAGE_AFTER_INVADE)]


@kernel
def pay_domain(game, tables, log, seat):
    """Pay for Thor's Domain, which then is used in this turn.  Rule 7.3."""
    copy = copy_with_effect(game, tables, seat, EFFECT_PILLAGE_AFTER_INVADE)
    change_rage(game, log, seat, -domain_cost(game.clans[seat], tables), REASON_CARD, copy)
    game.clock.domain_used = 1


@kernel
def _add_domain(game, tables, options, n, seat, province):
    if game.board.destroyed[province] or game.board.pillaged[province]:
        return n
    if game.clans[seat].rage < domain_cost(game.clans[seat], tables):
        return n
    return add_option(options, n, ACTION_YES, NO_CARD, -1, -1, province)


@kernel
def list_domain(game, tables, options, seat, place):
    """Options of QUESTION_DOMAIN."""
    n = add_option(options, 0, ACTION_DECLINE)
    if is_province(place):
        return _add_domain(game, tables, options, n, seat, place)
    n = _add_domain(game, tables, options, n, seat, tables.supports[place - N_PROVINCES, 0])
    return _add_domain(game, tables, options, n, seat, tables.supports[place - N_PROVINCES, 1])


@kernel
def action_invade_from_valhalla(clan, tables):
    """Rage that Frigga's Domain asks for an invade from Valhalla, -1 without it.  Rule 5.10.1."""
    card = card_with_effect(clan, tables, EFFECT_ACTION_INVADE_FROM_VALHALLA)
    return tables.amount[card] if card != NO_CARD else -1


@kernel
def pay_invade_from_valhalla(game, tables, log, seat):
    """Pay for Frigga's Domain.  Rule 5.10.1."""
    copy = copy_with_effect(game, tables, seat, EFFECT_ACTION_INVADE_FROM_VALHALLA)
    change_rage(game, log, seat, -action_invade_from_valhalla(game.clans[seat], tables), REASON_CARD, copy)


@kernel
def release_glory(game, tables, log, seat, figures):
    """Glory for figures that leave Valhalla (Loki's Domain, Eminence, Wrath).  Rule 11.2."""
    if figures > 0 and has_effect(game.clans[seat], EFFECT_RELEASE_GLORY):
        for slot in range(N_SLOTS):
            card = game.clans[seat].sheet[slot]
            if card != NO_CARD and tables.effect[card] == EFFECT_RELEASE_GLORY:
                copy = game.secret.sheet[seat, slot]
                add_glory(game, log, seat, figures * tables.amount[card], SOURCE_RELEASE, card, copy)
