"""The results of a tournament as lines to read."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from .design import LISTED
from .equilibrium import ACCEPT, SUPPORT
from .frames import DOMINANT_TABLES, HEALTHY_SUPPORT, OBSOLETE_SHARE, OBSOLETE_SUPPORT

if TYPE_CHECKING:
    from .frames import TournamentResults

MAX_LINES = 15  # of a list
MAX_TABLES = 40


def lines_of(results: TournamentResults) -> list[str]:
    """Title, strategies, differences, best response and equilibria."""
    return [
        *_title(results),
        "",
        *_strategies(results),
        *_tables(results),
        "",
        *_differences(results),
        *_cycle(results),
        "",
        *_equilibria(results),
    ]


def _title(results: TournamentResults) -> list[str]:
    run, design = results.run, results.design
    kinds = {"all": "every mix", "invasion": "one among others of one kind", "listed": "chosen tables"}
    mixes, blocks = _count(len(design.compositions), "composition"), _count(run["blocks"], "block")
    lines = [f"{design.players} players, {len(design.strategies)} strategies, {mixes} ({kinds[design.field]}), "]
    lines[0] += f"{blocks} of {design.players} rotations each: {results.info['games']:,} games, seed {run['seed']}"
    lines.append(f"Win share is times {design.players}, so 1.00 is fair.")
    lines.append(f"Intervals are 95 %, clustered by block, n = {run['blocks']:,}; blocks are deals, the same for all.")
    if design.complete:
        lines.append("Over the field: every opponent drawn at random from all strategies, the own one included.")
    else:
        lines.append("Over the field: every table that has the strategy weighs the same.")
    if run["blocks"] < 2:
        lines.append("One block gives no intervals and no comparisons: give 2 or more.")
    return lines


VERDICTS = (
    f"Verdicts: dominant, surely above fair in {DOMINANT_TABLES:.0%} of its mixed tables; healthy, in the equilibrium in {HEALTHY_SUPPORT:.0%} "
    f"of the resampled payoffs; obsolete, in less than {OBSOLETE_SUPPORT:.0%} of them and below {OBSOLETE_SHARE} of a fair share; "
    "matchup-dependent, anything between."
)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def _interval(row: Any, name: str, digits: int) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return "-" if math.isnan(low) else f"{low:.{digits}f} to {high:.{digits}f}"


def _strategies(results: TournamentResults) -> list[str]:
    """One line for each strategy, best first."""
    frame = results.strategies.sort_values("win_share", ascending=False, kind="stable")
    width = max(len("strategy"), *map(len, frame.strategy))
    ranks = [f"rank_{rank}" for rank in range(1, results.design.players + 1)]
    heads = " ".join(f"{rank:>3}." for rank in range(1, len(ranks) + 1))
    lines = [f"  {'strategy':{width}}  win share {'interval':>14}  glory {'interval':>14}  ranks in %"]
    lines[0] += f"{'':{max(0, 5 * len(ranks) - 11)}}  Elo-like {'interval':>14}  verdict"
    lines[1:] = [f"  {'':{width}}  {'':24}  {'':20} {heads}"]
    for _, row in frame.iterrows():
        shares = " ".join(f"{100 * row[rank]:4.0f}" for rank in ranks)
        line = f"  {row.strategy:{width}}  {row.win_share:9.3f} {_interval(row, 'win_share', 3):>14}  {row.glory:5.1f} "
        line += f"{_interval(row, 'glory', 1):>14}  {shares}  {row.elo:8.0f} {_interval(row, 'elo', 0):>14}"
        lines.append(f"{line}  {row.get('verdict', '')}".rstrip())
    if "verdict" in frame:
        lines += ["", *textwrap.wrap(VERDICTS, 118)]
    return lines


def _tables(results: TournamentResults) -> list[str]:
    """What each chosen table gave, if they are few; per cent are the share of one player."""
    design = results.design
    if design.field != LISTED or len(design.compositions) > MAX_TABLES:
        return []
    lines = ["", "By table: win share of one player"]
    for table, rows in results.payoffs.groupby("table", sort=False):
        shares = []
        for _, row in rows.iterrows():
            per_cent = f"{100 * row.win_share / row.players:.1f} %"
            shares.append(f"{row.strategy} {row.win_share:.3f} ({_interval(row, 'win_share', 3)}) or {per_cent}")
        lines.append(f"  {table}: {'; '.join(shares)}")
    return lines


def _differences(results: TournamentResults) -> list[str]:
    """Which pairs cannot be told apart."""
    frame = results.differences
    if frame.p.isna().any():
        return ["Differences: not tested, one block has no spread."]
    doubtful = frame[~frame.significant].sort_values("p_holm", ascending=False, kind="stable")
    tested = f"{_count(len(frame), 'pair')}, paired by block, corrected by Holm for all of them, 5 %"
    if len(doubtful) == 0:
        return [f"Differences of win share ({tested}): all are significant."]
    lines = [f"Differences of win share that are NOT significant ({tested}):"]
    for _, row in doubtful.head(MAX_LINES).iterrows():
        found = f"{row.difference:+.3f} ({_interval(row, 'difference', 3)} uncorrected)"
        lines.append(f"  {row.strategy} less {row.other}: {found}, p {row.p:.3f}, corrected {row.p_holm:.3f}")
    if len(doubtful) > MAX_LINES:
        lines.append(f"  and {len(doubtful) - MAX_LINES} more in tables/differences.csv")
    rest = len(frame) - len(doubtful)
    others = f"The other {_count(rest, 'pair')} differ{'s' if rest == 1 else ''} significantly."
    lines.append(f"  {others if rest else 'No pair differs significantly.'}")
    return lines


def _cycle(results: TournamentResults) -> list[str]:
    """The largest circle of three strategies that beat each other, if the field could have one."""
    names, cycle = results.design.strategies, results.info["cycle"]
    if len(names) < 3 or results.run["blocks"] < 2:
        return []
    if cycle is None:
        return ["No three strategies beat each other in a circle (at tables with both, every interval above 0)."]
    one, other, third = (names[strategy] for strategy in cycle.strategies)
    leads = ", ".join(f"{lead:+.3f}" for lead in cycle.leads)
    circle = f"{one} beats {other}, {other} beats {third}, {third} beats {one}"
    return [f"A circle: {circle}, at tables with both by {leads} (uncorrected intervals above 0)."]


def _equilibria(results: TournamentResults) -> list[str]:
    found = results.info["equilibria"]
    if found is None:
        return ["Equilibrium and best response: not worked out, the field has not every mix of its strategies."]
    design = results.design
    best = results.strategies.loc[results.strategies.win_share.idxmax()]
    gain = (best.win_share - 1) / design.players
    share = f"{best.win_share:.3f} ({_interval(best, 'win_share', 3)})"
    lines = [f"Best response to the even field: {best.strategy}, win share {share}, "]
    lines[0] += f"{100 * gain:.1f} points above fair (NashConv of the even mix {gain:.4f})."
    accepted = [one for one in found.found if one.accepted]
    how = "by linear programming" if design.players == 2 else f"from {found.starts} starts, multiplicative weights"
    lines.append(
        f"Symmetric equilibria {how}, accepted at NashConv <= {ACCEPT} of win share: {len(accepted)} found"
        + (f", {len(found.found) - len(accepted)} rejected." if len(found.found) > len(accepted) else ".")
    )
    for number, one in enumerate(found.found[:MAX_LINES]):
        weights = sorted(zip(one.weights, design.strategies, strict=True), reverse=True)
        shown = ", ".join(f"{name} {weight:.3f}" for weight, name in weights if weight > SUPPORT)
        notes = [f"NashConv {one.nash_conv:.4f}"]
        notes += [] if one.accepted else ["REJECTED"]
        if design.players > 2:
            notes += [f"{one.starts} of {found.starts} starts"]
            notes += ["from the even mix"] if number == found.even else []
        lines.append(f"  {number + 1}: {shown} ({', '.join(notes)})")
    if found.repeats:
        origin = " from the even mix" if design.players > 2 else ""
        lines.append(f"Weights{origin} over {found.all_repeats} bootstraps of blocks ({found.repeats} accepted), ")
        lines[-1] += "95 % interval, and how often in the support:"
        frame = results.strategies.sort_values(["weight", "in_support"], ascending=False, kind="stable")
        for _, row in frame.head(MAX_LINES).iterrows():
            lines.append(
                f"  {row.strategy}: {row.weight:.3f} ({_interval(row, 'weight', 3)}), {100 * row.in_support:.0f} %"
            )
    return lines
