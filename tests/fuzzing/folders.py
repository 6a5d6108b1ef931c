"""Kinds of inputs that are folders of results: manifests and parts that were changed, with or without the right checksums."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from random import Random

from bloodrage_sim.running.runs import config_like

from .spoil import spoilt
from .words import TRIAL, run_command

MAKERS = {
    "run": ("manifest.json", "simulate --players 2 --games 4 --seed 1 --threads 1 --tables summary --out {}"),
    "trial": ("trial/experiment.json", "experiment trial.toml --threads 1 --out {}"),
    "values": ("values.json", "card-value troll --players 2 --blocks 2 --strategy random --seed 1 --threads 1 --out {}"),
}
USES = {
    "run": ("verify {} --sample 1", "merge {} --out merged", "compare {} {} --out taken", "report {} --out taken", "{again}"),
    "trial": ("{again}",),
    "values": ("{again}", "report run --card-values {} --out taken"),
}


class Folders:
    """A folder that a stranger made, or a disk damaged."""

    def make(self, rng: Random) -> tuple[str, str, int, int]:
        """Which folder, how its manifest or a part is changed, by which chance, what is done with it."""
        name = rng.choices(list(MAKERS), [4, 1, 1])[0]
        return name, rng.choice(["manifest", "manifest", "manifest", "part", "part with its checksum"]), rng.randrange(2**32), rng.randrange(99)

    def check(self, made: tuple[str, str, int, int], folder: Path) -> None:
        name, way, seed, use = made
        good = folder / "good"
        if not good.exists():
            good.mkdir()
            (folder / "trial.toml").write_text(TRIAL)
            (folder / "taken").write_text("a file")
            for maker, (_, command) in MAKERS.items():
                run_command(command.format(f"good/{maker}").split(), folder)
            shutil.copytree(good / "run", folder / "run")
        place = folder / "spoilt"
        for old in (place, folder / "merged"):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(good / name, place)
        self._spoil(place, place / MAKERS[name][0], way, Random(seed))
        if name == "run" and use % 6 == 5:
            config_like(place, 1)
            return
        command = USES[name][use % len(USES[name])]
        run_command(command.format("spoilt", "spoilt", again=MAKERS[name][1].format("spoilt")).split(), folder)

    def _spoil(self, place: Path, manifest: Path, way: str, rng: Random) -> None:
        text = manifest.read_text()
        if way == "manifest":
            manifest.write_text(spoilt(rng, (text,)), encoding="utf-8", errors="surrogatepass")
            return
        part = rng.choice(sorted(place.rglob("part-*.parquet")))
        content = bytearray(part.read_bytes())
        for _ in range(rng.randint(1, 4)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        del content[rng.choice([len(content), len(content), rng.randrange(len(content))]) :]
        if way == "part with its checksum":
            text = text.replace(hashlib.sha256(part.read_bytes()).hexdigest(), hashlib.sha256(content).hexdigest())
            manifest.write_text(text)
        part.write_bytes(content)
