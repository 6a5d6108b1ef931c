"""Rule facts: scenarios that show a claim, and what other readings of unclear rules do to it.

The name of a scenario file begins with what it is for:

    case_            the claim, in one position; if it fails, the claim is refuted
    counterexample_  a position that shows the claim false; if it passes, the claim is refuted
    exception_       where the claim, which does not say 'always', has its limit; it decides nothing
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import BadFile, BadScenario
from ..ruleset import parse_rule
from ..scenario import run_scenario
from .catalogue import FOLDER, Tip
from .proofs import Proof, holds

CASE, COUNTEREXAMPLE, EXCEPTION = "case", "counterexample", "exception"


def show_fact(tip: Tip) -> Proof:
    """Play the scenarios of a claim under the rules as they are and under each option of `tip.depends`.

    Raises BadFile if the claim has no scenarios or one has another name, BadScenario if one cannot be read.
    """
    if not tip.scenarios:
        raise BadFile(f"tip {tip.id} has no scenarios; put them into {FOLDER}/scenarios/{tip.id}")
    cases = list(_cases(tip, {}))
    against = [case for case in cases if case["against"]]
    others = {text: any(case["against"] for case in _cases(tip, dict([parse_rule(text)]))) for text in tip.depends}
    flips = [text for text, other in others.items() if other != bool(against)]
    return Proof(
        verdict=holds(not against),
        summary=_summary(cases),
        cases=cases,
        against=len(against),
        flips=flips,
    )


def _cases(tip: Tip, options: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for path in tip.scenarios:
        role = _role(path)
        try:
            outcome = run_scenario(path, options)
        except BadScenario:
            if not options:
                raise
            passed, title = False, path.stem  # a move that this reading of the rules does not know
        else:
            passed, title = outcome.ok, outcome.title
        against = {CASE: not passed, COUNTEREXAMPLE: passed, EXCEPTION: False}[role]
        yield {"case": path.stem, "role": role, "title": title, "passed": passed, "against": against}


def _role(path: Path) -> str:
    role = path.stem.partition("_")[0]
    if role not in (CASE, COUNTEREXAMPLE, EXCEPTION):
        raise BadFile(f"scenario {path}: its name must begin with {CASE}_, {COUNTEREXAMPLE}_ or {EXCEPTION}_")
    return role


def _summary(cases: list[dict[str, Any]]) -> str:
    shown = [case for case in cases if case["role"] == CASE]
    text = f"{sum(case['passed'] for case in shown)} of {len(shown)} positions show it"
    for role, words in ((COUNTEREXAMPLE, "but"), (EXCEPTION, "except")):
        titles = [case["title"] for case in cases if case["role"] == role and case["passed"]]
        if titles:
            text += f"; {words}: {'; '.join(titles)}"
    return f"{text}."
