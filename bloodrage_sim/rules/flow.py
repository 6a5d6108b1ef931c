"""The stack of pending steps, the open question and the options of an answer.

The rules nest: a pillage in a turn, a destruction in a battle, a choice in a destruction.  Each such piece is a *step*
on a stack in the state record, so a game can stop at any question and go on from a copy.  A *question* is what the core
asks of one seat; several questions may make one *move* of the table (a march names its figures one by one).
"""

from .jit import kernel
from .tables import NO_CARD

# --- steps, each with the kernel that runs it (engine.run_step)
(
    STEP_AGE, STEP_DRAFT, STEP_ACTION, STEP_TURN, STEP_TURN_OVER, STEP_FREE_INVADE, STEP_SUCCOR, STEP_DOMAIN,
    STEP_RAISE, STEP_PILLAGE, STEP_CALL, STEP_GATHER, STEP_CARDS, STEP_REVEAL, STEP_BEFORE, STEP_TIDE, STEP_DECLARE,
    STEP_LATE, STEP_TOTALS, STEP_SUCCESS, STEP_GRACE, STEP_LEADER, STEP_BATTLE_GLORY, STEP_SPOILS,
    STEP_HANDS, STEP_POISON, STEP_PROWESS, STEP_CLEAR_WINNER, STEP_TRICKERY, STEP_BACKSTAB, STEP_BLESSING,
    STEP_PILLAGE_OVER, STEP_DESTROY, STEP_WITCH, STEP_PROTECT, STEP_DISCARD, STEP_QUESTS, STEP_RAGNAROK, STEP_RELEASE,
    STEP_AGE_OVER, STEP_END, STEP_RAGE_LOST, STEP_CHECKPOINT,
) = range(43)  # fmt: skip

# --- questions, each with the rule it comes from; name -> rule
QUESTION_RULES = {
    "none": "",
    "draft": "4.3",
    "turn": "5.2",
    "march": "5.6.1",
    "replace": "5.7.2",
    "sacrifice": "5.10.2",
    "free_invade": "5.7.5",
    "succor": "7.2",
    "thors_domain": "7.3",
    "join": "6.1",
    "card": "6.3.1",
    "tide": "6.5.3",
    "declare": "6.5.4",
    "late": "6.6",
    "raise": "1.6",
    "hammers": "6.9.5",
    "prowess": "6.10.7c",
    "blessing": "6.10.8",
    "witch": "6.11.3a",
    "protect": "6.11.3c",
    "discard": "8.1",
}
(
    QUESTION_NONE, QUESTION_DRAFT, QUESTION_TURN, QUESTION_MARCH, QUESTION_REPLACE, QUESTION_SACRIFICE,
    QUESTION_FREE_INVADE, QUESTION_SUCCOR, QUESTION_DOMAIN, QUESTION_JOIN, QUESTION_CARD, QUESTION_TIDE,
    QUESTION_DECLARE, QUESTION_LATE, QUESTION_RAISE, QUESTION_HAMMERS, QUESTION_PROWESS, QUESTION_BLESSING,
    QUESTION_WITCH, QUESTION_PROTECT, QUESTION_DISCARD,
) = range(len(QUESTION_RULES))  # fmt: skip
QUESTION_NAMES = tuple(QUESTION_RULES)

# --- what an option does
ACTION_NAMES = (
    "decline", "yes", "pass", "keep_card", "invade", "march", "march_figure", "upgrade", "replace", "quest", "pillage",
    "sacrifice", "join", "play", "add", "keep_figure", "protect", "take_back", "raise", "move_leader",
)  # fmt: skip
(
    ACTION_DECLINE, ACTION_YES, ACTION_PASS, ACTION_KEEP_CARD, ACTION_INVADE, ACTION_MARCH, ACTION_MARCH_FIGURE,
    ACTION_UPGRADE, ACTION_REPLACE, ACTION_QUEST, ACTION_PILLAGE, ACTION_SACRIFICE, ACTION_JOIN, ACTION_PLAY,
    ACTION_ADD, ACTION_KEEP_FIGURE, ACTION_PROTECT, ACTION_TAKE_BACK, ACTION_RAISE, ACTION_MOVE_LEADER,
) = range(len(ACTION_NAMES))  # fmt: skip


@kernel
def push(game, kind, a=-1, b=-1, c=-1):
    """Put a step on the stack; it runs before all steps pushed earlier."""
    step = game.flow.pending[game.flow.depth]
    step.kind = kind
    step.a = a
    step.b = b
    step.c = c
    game.flow.depth += 1


@kernel
def ask(game, question, seat, a=-1, b=-1):
    """Open a question; the engine lists its options and answers it alone if there is only one."""
    game.flow.question = question
    game.flow.seat = seat
    game.flow.a = a
    game.flow.b = b


@kernel
def add_option(options, n, action, card=NO_CARD, figure=-1, origin=-1, place=-1, value=-1):
    """Write option number `n`; returns n + 1."""
    option = options.option[n]
    option.action = action
    option.card = card
    option.figure = figure
    option.origin = origin
    option.place = place
    option.value = value
    return n + 1


@kernel
def seat_after(game, seat):
    """The next seat clockwise."""
    following = seat + 1
    return following if following < game.clock.players else 0
