"""Strategies as text: what it means, one text for each meaning, and every way to write it wrongly."""

from __future__ import annotations

import sys
from functools import cache
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bloodrage_sim.errors import (
    BadFile,
    BadPlugin,
    BadValue,
    BloodRageError,
    UnknownName,
)
from bloodrage_sim.parameters import Param
from bloodrage_sim.plugins.loading import (
    import_strategy,
    known_names,
    load_strategy,
    read_strategy,
    trait_takers,
)
from bloodrage_sim.plugins.param_sets import shipped_sets
from bloodrage_sim.plugins.text import GRAMMAR, StrategyText, split_strategy
from bloodrage_sim.plugins.values import params_of, show_trait, show_value
from bloodrage_sim.tactics.style import STYLE_PARAMS
from bloodrage_sim.tactics.traits import TRAITS_TABLE

STYLED = """\
\"\"\"Has a style.\"\"\"
from bloodrage_sim.strategy_api import *

@strategy(
    params={"wits": Param(2.0, -1.0, 3.5, "how witty"), "mood": Param(1, 0, 2, "how it feels", names=("low", "so-so", "high"))},
    style={"battle": 1.75, "wins": 2.0},
)
def decide(view, options, n, tables, params, memory, key):
    return take_best(view, n, key)
"""


def write(path: Path, declaration: str = "@strategy()") -> str:
    """A strategy file that takes the first option."""
    path.write_text(
        '"""Takes the first option."""\nfrom bloodrage_sim.strategy_api import *\n\n'
        f"{declaration}\ndef decide(view, options, n, tables, params, memory, key):\n    return 0\n"
    )
    return str(path)


@pytest.fixture(scope="module")
def styled(tmp_path_factory) -> str:
    """Path of a strategy with a style and two parameters of its own; its folder has the signs of the grammar."""
    folder = tmp_path_factory.mktemp("a+b@c,d=e")
    (folder / "styled.py").write_text(STYLED)
    return str(folder / "styled.py")


def canonical(text: str) -> str:
    return read_strategy(text).settings.text


def fault(text: str, kind: type[BloodRageError] = BadValue) -> str:
    """The message of the error for a text: one line."""
    with pytest.raises(kind) as caught:
        read_strategy(text)
    assert type(caught.value) is kind and caught.value.exit_status == 2 and "\n" not in str(caught.value)
    return str(caught.value)


# ---------------------------------------------------------------- the form


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("greedy", ("greedy", "", (), ())),
        ("a@tuned:x=1,y=z+t+u=a/b", ("a", "tuned", (("x", "1"), ("y", "z")), (("t", None), ("u", "a/b")))),
        ("a@sets/b+c.toml:x=1e+5+t=2e+0", ("a", "sets/b+c.toml", (("x", "1e+5"),), (("t", "2e+0"),))),
        ("a@./x.toml+t", ("a", "./x.toml", (), (("t", None),))),
        ("./my bot.py:x=1", ("./my bot.py", "", (("x", "1"),), ())),
        ("mine.py+t", ("mine.py", "", (), (("t", None),))),
        ("/c++/a@b:c.d/mine.py@tuned", ("/c++/a@b:c.d/mine.py", "tuned", (), ())),
        ("/x.py/mine.py", ("/x.py/mine.py", "", (), ())),
        (r"C:\bots\mine.py:x=1", (r"C:\bots\mine.py", "", (("x", "1"),), ())),
        ("acme.loki:x=1", ("acme.loki", "", (("x", "1"),), ())),
        ("a: x = 1 , y=2 + t", ("a", "", (("x", "1"), ("y", "2")), (("t", None),))),
    ],
)
def test_form(text, parts):
    assert split_strategy(text) == StrategyText(*parts)


# ---------------------------------------------------------------- one text for each meaning


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("random:by=option", "random"),
        ("random:passing=0.030,by=kind", "random:by=kind"),
        ("greedy:boldness=.5", "greedy"),
        ("greedy:boldness=1e-1", "greedy:boldness=0.1"),
        ("greedy:boldness=-0", "greedy:boldness=0"),
        ("greedy+ship_first+lock_province=1", "greedy+lock_province+ship_first"),
        ("greedy+lock_province=2", "greedy+lock_province=2"),
        ("greedy+lock_province=0", "greedy"),
        ("greedy+quest_weight=2", "greedy+quest_weight"),
        ("greedy+stat_order=plan+lock_target=best", "greedy"),
        (
            "greedy+stat_order=rage/axes/horns+lock_target=doomed",
            "greedy+lock_target=doomed+stat_order=rage/axes/horns",
        ),
        ("greedy+rage_pacing=0+front_load", "greedy+front_load"),
    ],
)
def test_canonical_text(text, same):
    assert canonical(text) == same
    assert canonical(same) == same


def test_canonical_text_of_a_style(styled):
    assert canonical(f"{styled}:battle=1.75,wins=2,wits=2") == styled
    text = f"{styled}:wits=-1,mood=high,battle=1,quest=1.5"
    assert canonical(f"{styled}:quest=1.5,battle=1,mood=high,wits=-1") == text
    values = read_strategy(text).settings.values
    assert (values["wits"], values["mood"], values["battle"], values["quest"], values["wins"]) == (-1, 2, 1, 1.5, 2)


@cache
def _params(name: str) -> dict[str, Param]:
    return params_of(import_strategy(name).declared)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_round_trip(styled, data):
    """Any values, in any order: the canonical text means the same, and is its own canonical text."""
    name = data.draw(st.sampled_from(["greedy", "random", styled]))
    params = _params(name)
    values = {}
    for key in data.draw(st.lists(st.sampled_from(sorted(params)), unique=True)):
        param = params[key]
        values[key] = data.draw(
            st.integers(0, len(param.names) - 1) if param.names else st.floats(param.least, param.most)
        )
    traits = {}
    for key in data.draw(
        st.lists(st.sampled_from(sorted(TRAITS_TABLE)), unique=True, max_size=0 if name == "random" else 6)
    ):
        param = TRAITS_TABLE[key].param
        if not any(other in TRAITS_TABLE[key].against or key in TRAITS_TABLE[other].against for other in traits):
            traits[key] = data.draw(
                st.integers(0, len(param.names) - 1) if param.names else st.floats(param.least, param.most)
            )

    def write_down(keys, trait_keys):
        written = ",".join(f"{key}={show_value(params[key], values[key])}" for key in keys)
        return f"{name}:{written}" + "".join(f"+{show_trait(key, traits[key])}" for key in trait_keys)

    given_settings = read_strategy(write_down(values, traits)).settings
    again = read_strategy(given_settings.text).settings
    shuffled = write_down(data.draw(st.permutations(list(values))), data.draw(st.permutations(list(traits))))
    assert again == given_settings == read_strategy(shuffled).settings
    for key, value in values.items():
        assert given_settings.values[key] == value
    for key, value in traits.items():
        assert given_settings.traits[key] == value
    shown = {key: value for key, value in values.items() if value != params[key].default}
    assert all(f"{key}=" in given_settings.text for key in shown)


# ---------------------------------------------------------------- what reaches the loop


def test_values_reach_the_records(styled):
    loaded = load_strategy(f"{styled}:mood=low,deny=0.5+concentration=-0.5+stat_order=axes/rage/horns")
    assert loaded.params[:2].tolist() == [2.0, 0.0] and not loaded.params[2:].any()
    assert (loaded.style["battle"], loaded.style["wins"], loaded.style["deny"]) == (1.75, 2.0, 0.5)
    assert loaded.style["losses"] == STYLE_PARAMS["losses"].default
    assert (loaded.traits["concentration"], loaded.traits["stat_order"]) == (-0.5, 3)
    assert sum(loaded.traits[key] != 0 for key in TRAITS_TABLE) == 2
    assert loaded.appraised and load_strategy(styled).appraised


def test_traits_have_the_options_appraised():
    plain, with_trait = load_strategy("greedy"), load_strategy("greedy+lock_province")
    assert not plain.appraised and with_trait.appraised and not load_strategy("greedy+lock_province=0").appraised
    assert with_trait.source_hash == plain.source_hash and with_trait.decide is plain.decide
    assert (
        with_trait.style
        == np.array([tuple(param.default for param in STYLE_PARAMS.values())], with_trait.style.dtype)[0]
    )


# ---------------------------------------------------------------- sets of values


@pytest.fixture
def param_set(tmp_path):
    """Write a set of values; returns its path."""

    def written(text: str, name: str = "values.toml") -> Path:
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def test_values_from_a_file(styled, param_set):
    path = param_set(
        f'strategy = {styled!r}\nplayers = 4\nscore = 0.3\n[params]\nwits = 3\nmood = "high"\nbattle = 1\n'
    )
    text = f"{styled}@{path}"
    reading = read_strategy(text)
    values = reading.settings.values
    assert (values["wits"], values["mood"], values["battle"], values["wins"]) == (3, 2, 1, 2)
    assert reading.settings.text == text
    # only what differs from the file is shown, also when it is the strategy's own default
    assert canonical(f"{text}:wits=3,battle=1.75+ship_first") == f"{text}:battle=1.75+ship_first"
    assert read_strategy(f"{text}:wits=2").settings.values["wits"] == 2
    before = reading.source_hash
    assert before != read_strategy(styled).source_hash and len(before) == 64
    path.write_text(path.read_text() + "# another\n")
    assert read_strategy(text).source_hash != before


def test_shipped_set(tmp_path):
    mine = write(tmp_path / "mine.py", "@strategy(params={'x': Param(0, 0, 9, 'x')})")
    assert (
        fault(f"{mine}@tuned")
        == f"strategy {mine} has no shipped set of values @tuned; {mine}@FILE.toml takes one from a file"
    )
    (tmp_path / "mine.tuned.toml").write_text('strategy = "./mine.py"\n[params]\nx = 4.5\n')
    (tmp_path / "mineral.tuned.toml").write_text("")
    (tmp_path / "mine.toml").write_text("")
    assert shipped_sets(tmp_path / "mine.py") == {"tuned": tmp_path / "mine.tuned.toml"}
    assert read_strategy(f"{mine}@tuned").settings.values == {"x": 4.5}
    assert canonical(f"{mine}@tuned:x=4.5") == f"{mine}@tuned"
    assert (
        fault(f"{mine}@tund", UnknownName) == f"unknown set of values '@tund' in strategy {mine}; did you mean @tuned?"
    )


@pytest.mark.parametrize(
    ("content", "kind", "message"),
    [
        (
            "[params]\nbold = 1\n",
            UnknownName,
            "unknown parameter 'bold' in parameter file {path}; did you mean boldness?",
        ),
        ("[params]\nboldness = 3\n", BadValue, "parameter file {path}: boldness is 3; allowed: 0 to 1"),
        ("[params]\nboldness = true\n", BadValue, "parameter file {path}: boldness is True; allowed: 0 to 1"),
        ("[params]\nboldness = [1]\n", BadValue, "parameter file {path}: boldness is [1]; allowed: 0 to 1"),
        ("[params]\nboldness = nan\n", BadValue, "parameter file {path}: boldness is nan; allowed: 0 to 1"),
        ("boldness = 1\n", BadFile, "parameter file {path} has no table [params] with name = value lines"),
        ("params = 1\n", BadFile, "parameter file {path} has no table [params] with name = value lines"),
        ("[params\n", BadFile, "parameter file {path} is no TOML file: "),
        (
            'strategy = "random:by=kind"\n[params]\n',
            BadValue,
            "parameter file {path} is for strategy random:by=kind, not for greedy",
        ),
    ],
)
def test_wrong_files(param_set, content, kind, message):
    path = param_set(content)
    assert fault(f"greedy@{path}", kind).startswith(message.format(path=path))


def test_missing_file():
    assert fault("greedy@no.toml", BadFile) == "parameter file no.toml cannot be read: No such file or directory"


# ---------------------------------------------------------------- wrong texts

ORDERS = "plan, rage/axes/horns, rage/horns/axes, axes/rage/horns, axes/horns/rage, horns/rage/axes, horns/axes/rage"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random:by=fear", "strategy random: by is 'fear'; allowed: option, kind"),
        ("random:by", "strategy random: parameters are written param=value, not 'by'"),
        ("random:by=kind,by=kind", "strategy random: parameter by is given twice"),
        ("greedy:boldness=2", "strategy greedy: boldness is '2'; allowed: 0 to 1"),
        ("greedy:boldness=", "strategy greedy: boldness is ''; allowed: 0 to 1"),
        ("greedy:boldness=nan", "strategy greedy: boldness is 'nan'; allowed: 0 to 1"),
        ("greedy:lock_province=1", "strategy greedy: lock_province is a trait, written greedy+lock_province"),
        ("random+lock_province", "strategy random takes no traits, so not +lock_province; these do: {takers}"),
        ("greedy+rush_pillage+rage_pacing", "strategy greedy: traits rush_pillage and rage_pacing contradict each other; give one of them"),
        ("greedy+front_load+rage_pacing", "strategy greedy: traits rage_pacing and front_load contradict each other; give one of them"),
        ("greedy+lock_target", "strategy greedy: trait lock_target needs a value, +lock_target=VALUE; allowed: best, doomed, safe"),
        ("greedy+join_threshold", "strategy greedy: trait join_threshold needs a value, +join_threshold=VALUE; allowed: -1 to 1"),
        ("greedy+lock_target=far", "strategy greedy: trait lock_target is 'far'; allowed: best, doomed, safe"),
        ("greedy+stat_order=rage", "strategy greedy: trait stat_order is 'rage'; allowed: {orders}"),
        ("greedy+concentration=-2", "strategy greedy: trait concentration is '-2'; allowed: -1 to 3"),
        ("greedy+quest_weight=", "strategy greedy: trait quest_weight is ''; allowed: 0 to 4"),
        ("greedy+harass+harass=2", "strategy greedy: trait harass is given twice"),
        ("greedy+", "strategy greedy: a trait has no name; traits are written +trait or +trait=value"),
        ("greedy@", "strategy greedy@: nothing after '@'; a strategy is written {grammar}"),
        ("", "empty strategy in ''; a strategy is written {grammar}; known: {names}"),
    ],
)  # fmt: skip
def test_wrong_texts(text, message):
    takers, names = ", ".join(trait_takers()), ", ".join(known_names())
    assert fault(text) == message.format(takers=takers, names=names, grammar=GRAMMAR, orders=ORDERS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("randon", "unknown strategy 'randon'; did you mean random"),
        ("greedy:bold=1", "unknown parameter 'bold' in strategy greedy; did you mean boldness?"),
        ("greedy:zzz=1", "unknown parameter 'zzz' in strategy greedy; known: boldness"),
        ("greedy+lock_provinces", "unknown trait 'lock_provinces' in strategy greedy; did you mean lock_province"),
        ("greedy+zzz", "unknown trait 'zzz' in strategy greedy; known: avoid_imminent_pillage, carry_yggdrasil, "),
    ],
)
def test_unknown_names(text, message):
    assert fault(text, UnknownName).startswith(message)


# ---------------------------------------------------------------- wrong declarations


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ("@strategy(params={'x': 3})", "parameter x is declared as 3, not as Param(default, least, most, meaning)"),
        ("@strategy(params={'x-y': Param(0, 0, 1, '')})", "parameter 'x-y' is no name of letters, digits and _"),
        ("@strategy(params={'x': Param(2, 0, 1, '')})", "parameter x has the default 2; allowed: 0 to 1"),
        (
            "@strategy(params={'x': Param(2, 0, 1, '', names=('a', 'b'))})",
            "parameter x has the default 2; allowed: a, b",
        ),
        (
            "@strategy(params={'x': Param(0, 0, 1, '', names=('a,b', 'c'))})",
            "parameter x has values a,b, c; allowed: words of",
        ),
        (
            "@strategy(params={f'x{n}': Param(0, 0, 1, '') for n in range(33)})",
            "33 parameters are declared; allowed: up to 32",
        ),
        ("@strategy(style={'battl': 1.0})", "unknown parameter of the style 'battl'; did you mean battle"),
        ("@strategy(style={'battle': 9.0})", "the style has battle = 9.0; allowed: 0 to 3"),
        (
            "@strategy(style={}, params={'battle': Param(1, 0, 3, '')})",
            "parameter battle has the name of a parameter of the style; give it another",
        ),
    ],
)
def test_wrong_declarations(tmp_path, declaration, message):
    mine = write(tmp_path / "mine.py", declaration)
    assert fault(mine, BadPlugin).startswith(f"strategy {mine}: {message}")


def test_traits_without_a_style(tmp_path):
    assert canonical(f"{write(tmp_path / 'a.py', '@strategy(traits=True)')}+harass").endswith("a.py+harass")
    assert "takes no traits" in fault(f"{write(tmp_path / 'b.py')}+harass")


# ---------------------------------------------------------------- installed packages


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Make modules in a folder that can be imported the strategies of installed packages: name -> value."""
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = set(sys.modules)

    def install(*pairs: tuple[str, str]) -> Path:
        points = [metadata.EntryPoint(name, value, "bloodrage.strategies") for name, value in pairs]
        monkeypatch.setattr(metadata, "entry_points", lambda group: points if group == "bloodrage.strategies" else [])
        return tmp_path

    yield install
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def test_installed_strategies(installed):
    folder = installed(("acme.first", "acme_first_d"), ("other", "acme_other_d:decide"), ("random", "acme_first_d"))
    write(folder / "acme_first_d.py", "@strategy(params={'x': Param(0, 0, 1, 'x')})")
    write(folder / "acme_other_d.py")
    assert {"acme.first", "other", "greedy"} <= set(known_names()) and known_names().count("random") == 1
    reading = read_strategy("acme.first:x=1")
    assert reading.settings.text == "acme.first:x=1" and reading.source.path == folder / "acme_first_d.py"
    assert read_strategy("other").source.path == folder / "acme_other_d.py"
    assert read_strategy("random").source.path.parent.name == "strategies"
    assert fault("acme.frist", UnknownName) == "unknown strategy 'acme.frist'; did you mean acme.first?"


def test_installed_strategies_that_cannot_be_loaded(installed):
    folder = installed(
        ("gone_d", "no_such_module_d"), ("wrong_d", "acme_wrong_d"), ("twice_d", "one_d"), ("twice_d", "two_d")
    )
    (folder / "acme_wrong_d.py").write_text("decide = 3\n")
    assert fault("gone_d", BadPlugin) == (
        "strategy gone_d: no_such_module_d cannot be loaded: ModuleNotFoundError: No module named 'no_such_module_d'"
    )
    assert "has no function `decide` marked with @strategy" in fault("wrong_d", BadPlugin)
    assert fault("twice_d", BadPlugin) == (
        "strategy twice_d is in several installed packages: one_d, two_d; give the path of its file"
    )
