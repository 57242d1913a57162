#!/usr/bin/env python3
"""Mutation check: would the tests notice a small mistake in src/?

Picks mutants of src/ by a printed seed (a sign turned, a clamp dropped, a bound moved by one), builds
each in a scratch tree and runs tests until one fails. Says for each which test killed it, and for all
how many were killed; exit status 1 below the share wanted.

use: tests/mutants.py [--count 60] [--seed 1] [--need 54] [--only src/solve] [--tree FOLDER]
Needs cmake, ninja and cmocka; ccache helps much. 60 mutants take about an hour on two cores.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

# (name, pattern, replacement): one match in a line of code becomes one mutant
OPERATORS = [
    ("sign", re.compile(r"(?<=[\w\])]) \+ (?=[\w(])"), " - "),
    ("sign", re.compile(r"(?<=[\w\])]) - (?=[\w(])"), " + "),
    ("sign", re.compile(r" \+= "), " -= "),
    ("sign", re.compile(r" -= "), " += "),
    ("bound", re.compile(r"(?<=[\w\])]) < (?=[\w(])"), " <= "),
    ("bound", re.compile(r"(?<=[\w\])]) <= (?=[\w(])"), " < "),
    ("bound", re.compile(r"(?<=[\w\])]) > (?=[\w(])"), " >= "),
    ("bound", re.compile(r"(?<=[\w\])]) >= (?=[\w(])"), " > "),
    ("one", re.compile(r" \+ 1\b(?!\.)"), " + 2"),
    ("one", re.compile(r" - 1\b(?!\.)"), ""),
    ("clamp", re.compile(r"\bfm(?:in|ax)\(([\w.>\-]+), ([\w.>\-]+)\)"), r"(\1)"),
    ("clamp", re.compile(r"\bsnw_clamp\(([\w.>\-]+), [^()]*\)"), r"(\1)"),
    ("logic", re.compile(r" && "), " || "),
    ("logic", re.compile(r" \|\| "), " && "),
]

# what fails soonest for a file of each floor comes first; all others follow by their length
FIRST = {
    "math": ["test_dense", "test_trig", "test_exp", "test_euler", "test_lanes"],
    "body": ["test_pose", "test_skeleton", "test_limits", "test_rig", "test_roles", "test_stance"],
    "solve": ["test_golden", "test_goals", "test_solver", "test_methods", "test_chain", "test_auto"],
    "motion": ["test_clip", "test_tracker", "test_keys", "test_switch", "test_contact"],
    "walk": ["test_golden", "test_walker_legs", "test_walker", "test_gait_curves", "test_stride_curve"],
    "file": ["test_bvh", "test_gltf", "test_urdf", "test_steering_file", "test_height_map"],
    "base": ["test_skeleton", "test_bvh"],
}


def code_lines(path):
    """Lines that do something: no comments, directives, texts, tables of messages or asserts."""
    in_comment = False
    for number, line in enumerate(path.read_text().split("\n")):
        text = line.strip()
        if in_comment or text.startswith("/*"):
            in_comment = "*/" not in text
            continue
        if not text or text.startswith(("//", "#", "*")) or '"' in text or "ASSERT" in text:
            continue
        if not re.search(r"[;{]|&&|\|\|", text):
            continue
        yield number, line.split("//")[0].rstrip()


def all_mutants(only):
    found = []
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        name = str(path.relative_to(ROOT))
        if not name.startswith(only):
            continue
        for number, line in code_lines(path):
            for kind, pattern, replacement in OPERATORS:
                for match in pattern.finditer(line):
                    changed = line[: match.start()] + match.expand(replacement) + line[match.end() :]
                    found.append((name, number, kind, line, changed))
    return found


def run(command, cwd, seconds):
    """Exit status, or None when it took too long."""
    try:
        return subprocess.run(
            command, cwd=cwd, timeout=seconds, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode
    except subprocess.TimeoutExpired:
        return None


def order_tests(build, floor, seconds):
    first = [t for t in FIRST.get(floor, []) if t in seconds]
    rest = sorted((t for t in seconds if t not in first), key=lambda t: seconds[t])
    return first + rest


def judge(tree, build, mutant, seconds, jobs):
    name, number, _, _, changed = mutant
    path = tree / name
    original = path.read_text()
    lines = original.split("\n")
    lines[number] = changed
    path.write_text("\n".join(lines))
    try:
        # a few programs at a time: most mutants fall at the first
        tests = order_tests(build, name.split("/")[1], seconds)
        for start in range(0, len(tests), 6):
            batch = tests[start : start + 6]
            if run(["ninja", f"-j{jobs}", *batch], build, 600) != 0:
                return "compiler"
            for test in batch:
                if run([f"tests/{test}"], build, 5.0 + 5.0 * seconds[test]) != 0:
                    return test
    finally:
        path.write_text(original)
    return None


def measure_tests(build, longest):
    """Seconds of each test program on the untouched sources; the failing and the long are left out."""
    seconds = {}
    for path in sorted((build / "tests").glob("test_*")):
        if not os.access(path, os.X_OK) or path.is_dir():
            continue
        # the tests of tests say nothing about src/
        if path.name in ("test_testing", "test_scenes"):
            continue
        start = time.monotonic()
        if run([f"tests/{path.name}"], build, longest) == 0:
            seconds[path.name] = time.monotonic() - start
    return seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--need", type=int, default=None, help="killed, of count (default 90 %%)")
    parser.add_argument("--only", default="src/")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--longest", type=float, default=20.0, help="seconds of a test that is run")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--tree", help="keep the scratch tree here, to go on with it another time")
    wanted = parser.parse_args()
    need = wanted.need if wanted.need is not None else -(-9 * wanted.count // 10)

    mutants = all_mutants(wanted.only)
    picked = random.Random(wanted.seed).sample(mutants, min(wanted.count, len(mutants)))
    print(f"seed {wanted.seed}: {len(picked)} of {len(mutants)} mutants", flush=True)
    if wanted.list:
        for name, number, kind, line, changed in picked:
            print(f"{name}:{number + 1} {kind}\n  - {line.strip()}\n  + {changed.strip()}")
        return 0

    scratch = pathlib.Path(wanted.tree or tempfile.mkdtemp(prefix="sinew-mutants-"))
    tree, build = scratch / "tree", scratch / "tree" / "build" / "release"
    if not tree.exists():
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns("build", ".git", "node_modules"))
    if run(["cmake", "--preset", "release"], tree, 120) != 0 or run(
        ["ninja", f"-j{wanted.jobs}"], build, 3600
    ) != 0:
        print("the untouched sources do not build")
        return 2
    seconds = measure_tests(build, wanted.longest)
    print(f"{len(seconds)} test programs, {sum(seconds.values()):.0f} s", flush=True)

    killed = 0
    for index, mutant in enumerate(picked):
        name, number, kind, line, changed = mutant
        by = judge(tree, build, mutant, seconds, wanted.jobs)
        killed += by is not None
        place = f"{name}:{number + 1}"
        if by is not None:
            print(f"{index + 1:3} killed by {by:24} {kind:6} {place}", flush=True)
        else:
            print(f"{index + 1:3} SURVIVED {'':24} {kind:6} {place}", flush=True)
            print(f"      - {line.strip()}\n      + {changed.strip()}", flush=True)
    print(f"mutants: {killed} of {len(picked)} killed, {need} wanted")
    if not wanted.tree:
        shutil.rmtree(scratch)
    return 0 if killed >= need else 1


if __name__ == "__main__":
    sys.exit(main())
