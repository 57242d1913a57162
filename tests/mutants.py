#!/usr/bin/env python3
"""Mutation check: would the tests notice a small mistake in src/?

Picks mutants of src/ by a printed seed (a sign turned, a clamp dropped, a count or bound off by one),
compiles each in a tree of its own and runs the tests until one fails. Says which test found each, and
how many were found; exit status 1 below the share wanted.

Every mutant meets test_golden first, which takes seconds. Those that it misses meet the other tests that
run their line, the quickest first; which these are is measured with gcov, once and only when a mutant is
left. With --sanitizers what the release build's tests miss meets test_golden and a few others once more under
the sanitizers, which see what goes beyond an array. What the compiler refuses, warnings included, is no mutant
and the next is taken; so is what it makes the same machine code of, and so are bounds between two
floating-point numbers, where < and <= differ on equal ones.

Mutants that change no answer are listed with the reason in mutants_equivalent.txt and are not drawn.

use: tests/mutants.py [--count 60] [--seed 1] [--need 54] [--only src/solve] [--golden-only] [--tree FOLDER]
Needs cmake, ninja, cmocka and, without --golden-only, gcov; ccache is used where it is. 60 mutants take some
ten minutes on two cores.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import queue
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

FIRST = "test_golden"

# an operand that is a whole number, or the mutant does not compile
COUNT = r"_Generic((\1), double: (void *)0, float: (void *)0, default: (\1))"
OPERAND = r"([A-Za-z0-9_][\w.>\-]*(?:\[\w+\])?)(?=[ ;)])(?! \()"

# (name, pattern, replacement): one match in a line of code becomes one mutant
OPERATORS = [
    ("sign", re.compile(r"(?<=[\w\])]) \+ (?=[\w(])"), " - "),
    ("sign", re.compile(r"(?<=[\w\])]) - (?=[\w(])"), " + "),
    ("sign", re.compile(r" \+= "), " -= "),
    ("sign", re.compile(r" -= "), " += "),
    ("bound", re.compile(r"(?<=[\w\])]) < " + OPERAND), " <= " + COUNT),
    ("bound", re.compile(r"(?<=[\w\])]) <= " + OPERAND), " < " + COUNT),
    ("bound", re.compile(r"(?<=[\w\])]) > " + OPERAND), " >= " + COUNT),
    ("bound", re.compile(r"(?<=[\w\])]) >= " + OPERAND), " > " + COUNT),
    ("one", re.compile(r" \+ 1\b(?!\.)"), " + 2"),
    ("one", re.compile(r" - 1\b(?!\.)"), ""),
    ("clamp", re.compile(r"\bfm(?:in|ax)\(([\w.>\-]+), ([\w.>\-]+)\)"), r"(\1)"),
    ("clamp", re.compile(r"\bsnw_clamp\(([\w.>\-]+), [^()]*\)"), r"(\1)"),
    ("logic", re.compile(r" && "), " || "),
    ("logic", re.compile(r" \|\| "), " && "),
]


def shown(line):
    """A line as people would have written it."""
    return re.sub(r"_Generic\(\(([^()]*)\), double: [^:]*: [^:]*: \(\1\)\)", r"\1", line.strip())


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


def equivalents():
    """(file, line, changed line) of what mutants_equivalent.txt lists."""
    blocks = (ROOT / "tests" / "mutants_equivalent.txt").read_text().split("\n\n")[1:]
    listed = [block.strip().split("\n") for block in blocks if block.strip()]
    if any(len(lines) != 4 for lines in listed):
        sys.exit("mutants_equivalent.txt: four lines for each mutant")
    return {tuple(lines[:3]) for lines in listed}


def draw(seed, mutants):
    """Put mutants in an order that depends on their own text alone: work elsewhere does not change it."""
    seen = collections.Counter()
    lots = {}
    for mutant in mutants:
        name, _, kind, line, changed = mutant
        text = f"{seed} {name} {kind} {line} {changed}"
        seen[text] += 1
        lots[mutant] = hashlib.sha256(f"{text} {seen[text]}".encode()).digest()
    mutants.sort(key=lots.get)


def all_mutants(root, only, without):
    found = []
    for path in sorted((root / "src").rglob("*.[ch]")):
        name = str(path.relative_to(root))
        if not name.startswith(only) or name.startswith(tuple(without)):
            continue
        for number, line in code_lines(path):
            for kind, pattern, replacement in OPERATORS:
                for match in pattern.finditer(line):
                    changed = line[: match.start()] + match.expand(replacement) + line[match.end() :]
                    found.append((name, number, kind, line, changed))
    return found


class Runner:
    """Runs commands, behind another one where somebody shares the machine by it."""

    def __init__(self, through):
        self.through = shlex.split(through)

    def run(self, command, cwd, seconds):
        """Exit status; not 0 as well when it took more of a processor, or waited for much longer: on a machine
        that others use a test takes its time."""
        limited = ["sh", "-c", 'ulimit -t "$0" && exec "$@"', f"{seconds + 1.0:.0f}"]
        command = self.through + ["timeout", f"{10.0 * seconds:.0f}"] + limited + command
        return subprocess.run(
            command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode


def processor_seconds():
    """What all programs took that ended so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sync(root, tree):
    """Make tree the same as the sources, touching only what differs."""
    left_out = ("build", ".git", "node_modules", "out", "dist")
    wanted = set()
    for path in root.rglob("*"):
        name = path.relative_to(root)
        if any(part in left_out for part in name.parts) or not path.is_file():
            continue
        wanted.add(name)
        copy = tree / name
        if not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    for path in list(tree.rglob("*.[ch]")):
        name = path.relative_to(tree)
        if name.parts[0] != "build" and name not in wanted:
            path.unlink()


def configure(runner, tree, name, *options):
    build = tree / "build" / name
    preset = "asan" if name == "asan" else "release"
    if shutil.which("ccache"):
        options = ("-DCMAKE_C_COMPILER_LAUNCHER=ccache", *options)
    status = runner.run(
        ["cmake", "--preset", preset, "-B", str(build), "-DSINEW_INSTALL=OFF", *options], tree, 120
    )
    return build if status == 0 else None


def test_commands(build):
    """Name and command of every ctest that is a program of ours."""
    listed = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, check=True)
    commands = {}
    for test in json.loads(listed.stdout)["tests"]:
        command = test.get("command", [])
        # the tests of tests say nothing about src/
        if command and command[0].startswith(str(build)) and test["name"] != "test_testing":
            commands[test["name"]] = command
    return commands


def lines_run(build):
    """{file of src/: lines} that programs ran since the counts were last thrown away. A line inside a statement
    that has no count of its own goes with the one above it."""
    counts = [str(path) for path in build.rglob("*.gcda") if "/src/" in str(path)]
    found = collections.defaultdict(set)
    if not counts:
        return found
    text = subprocess.run(
        ["gcov", "--json-format", "--stdout", *counts], cwd=build, capture_output=True, check=False
    ).stdout
    for unit in text.splitlines():
        for file in json.loads(unit)["files"]:
            path = (build / file["file"]).resolve()
            name = str(path.relative_to(build.parent.parent)) if path.is_relative_to(build.parent.parent) else ""
            if name.startswith("src/"):
                lines = sorted((line["line_number"], line["count"]) for line in file["lines"])
                ends = [number for number, _ in lines[1:]] + [lines[-1][0] + 1 if lines else 0]
                for (number, count), end in zip(lines, ends):
                    if count > 0:
                        found[name].update(range(number, max(end, number + 1)))
    return found


def measure_tests(runner, build, longest, kept):
    """Seconds and lines of each test on the untouched sources; the failing and the long are left out.
    kept is what an earlier call found: programs that are the same to the byte are not run again."""
    command_of = test_commands(build)
    sinew = build / "bin" / "sinew"
    shared = hashlib.sha256(sinew.read_bytes()).hexdigest() if sinew.exists() else ""
    measured = {}
    for name, command in command_of.items():
        key = hashlib.sha256(pathlib.Path(command[0]).read_bytes()).hexdigest() + shared
        if kept.get(name, {}).get("key") == key and "command" in kept[name]:
            measured[name] = kept[name]
            continue
        for path in build.rglob("*.gcda"):
            path.unlink()
        start = processor_seconds()
        passed = runner.run(command, build, longest) == 0
        seconds = processor_seconds() - start
        lines = {file: sorted(numbers) for file, numbers in lines_run(build).items()} if passed else {}
        # ctest tells the command of what is built, and a mutant's tests are not: the program goes along
        relative = [str(pathlib.Path(command[0]).relative_to(build)), *command[1:]]
        measured[name] = {"key": key, "command": relative, "passed": passed, "seconds": seconds, "lines": lines}
    return measured


def meet(runner, build, tests, slower):
    """The first of these tests that fails; "" when something does not compile, None when all pass."""
    if runner.run(["ninja", "-j1", "libsinew.a", "libsinew-io.a"], build, 600) != 0:
        return ""
    # a few programs at a time: most mutants fall at the first
    for start in range(0, len(tests), 4):
        batch = tests[start : start + 4]
        programs = {command[0] for _, _, command in batch}
        if runner.run(["ninja", "-j1", *sorted(programs)], build, 600) != 0:
            return ""
        for test, seconds, (program, *words) in batch:
            if runner.run([str(build / program), *words], build, 10.0 + 5.0 * slower * seconds) != 0:
                return test
    return None


class Mutated:
    """A tree with one line changed, as long as the block lasts."""

    def __init__(self, tree, mutant):
        name, self.number, _, _, self.changed = mutant
        self.path = tree / name

    def __enter__(self):
        self.original = self.path.read_text()
        lines = self.original.split("\n")
        lines[self.number] = self.changed
        self.path.write_text("\n".join(lines))

    def __exit__(self, *_):
        self.path.write_text(self.original)


def machine_code(build):
    """A hash of what the libraries were compiled to."""
    return hashlib.sha256(b"".join((build / f"lib{name}.a").read_bytes() for name in ("sinew", "sinew-io"))).digest()


def meet_golden(runner, tree, mutant, untouched):
    """Whether the golden hashes change: True, False, or None for what does not compile or comes to the same."""
    build = tree / "build" / "release"
    with Mutated(tree, mutant):
        if runner.run(["ninja", "-j1", f"tests/{FIRST}"], build, 900) != 0 or machine_code(build) == untouched:
            return None
        return runner.run([str(build / "tests" / FIRST)], build, 120) != 0


def meet_others(runner, tree, mutant, tests, sanitize):
    """(test that finds a mutant or None, "release" or "asan")"""
    with Mutated(tree, mutant):
        found = meet(runner, tree / "build" / "release", tests, 1.0)
        if found or not sanitize:
            return found or None, "release"
        # the golden run, which goes through most of src/, and a few: each takes several times as long here
        few = [(FIRST, 20.0, [f"tests/{FIRST}"])] + [pair for pair in tests if pair[1] < 2.0][:12]
        return meet(runner, tree / "build" / "asan", few, 20.0) or None, "asan"


def in_trees(trees, job, mutants):
    """job(tree, mutant) for each mutant in order, in all trees at once, a few ahead of who reads."""
    free = queue.Queue()
    for tree in trees:
        free.put(tree)

    def one(mutant):
        tree = free.get()
        try:
            return job(tree, mutant)
        finally:
            free.put(tree)

    with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
        ahead = collections.deque()
        rest = iter(mutants)
        while True:
            while len(ahead) < 2 * len(trees) and (mutant := next(rest, None)) is not None:
                ahead.append((mutant, pool.submit(one, mutant)))
            if not ahead:
                return
            mutant, answer = ahead.popleft()
            try:
                yield mutant, answer.result()
            except GeneratorExit:
                pool.shutdown(cancel_futures=True)
                raise


def place(mutant):
    return f"{mutant[2]:6} {mutant[0]}:{mutant[1] + 1}"


def lines_of_tests(runner, scratch, tree, longest):
    """What each test runs, on the untouched sources; None when they do not build."""
    build = configure(runner, tree, "coverage", "-DCMAKE_C_FLAGS=--coverage", "-DSINEW_OPTIMIZATION=-O1",
                      "-DSINEW_WARNINGS_AS_ERRORS=OFF")
    if build is None or runner.run(["ninja", "-j2"], build, 3600) != 0:
        return None
    notes = scratch / "lines.json"
    kept = json.loads(notes.read_text()) if notes.exists() else {}
    measured = measure_tests(runner, build, longest, kept)
    notes.write_text(json.dumps(measured))
    failed = sorted(name for name, test in measured.items() if not test["passed"])
    print(f"{len(measured)} tests, {sum(test['seconds'] for test in measured.values()):.0f} s"
          + (f"; not used, they fail or are long: {' '.join(failed)}" if failed else ""), flush=True)
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--need", type=int, default=None, help="killed, of count (default 90 %%)")
    parser.add_argument("--only", default="src/", help="files that begin so")
    parser.add_argument("--without", action="append", default=[], help="no files that begin so; any number")
    parser.add_argument("--workers", type=int, default=2, help="mutants at a time")
    parser.add_argument("--longest", type=float, default=60.0, help="seconds of a test that is run")
    parser.add_argument("--sanitizers", action="store_true", help="also under the sanitizers")
    parser.add_argument("--golden-only", action="store_true", help="test_golden alone")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    parser.add_argument("--tree", help="keep the scratch trees here, to go on with them another time")
    parser.add_argument("--through", default="", help="a command that runs the others, as nice")
    wanted = parser.parse_args()
    need = wanted.need if wanted.need is not None else -(-9 * wanted.count // 10)

    scratch = pathlib.Path(wanted.tree or tempfile.mkdtemp(prefix="sinew-mutants-")).resolve()
    trees = [scratch / f"tree{index}" for index in range(wanted.workers)]
    if not wanted.list:
        # the sources may be worked on meanwhile
        for tree in trees:
            sync(ROOT if tree is trees[0] else trees[0], tree)
    mutants = all_mutants(ROOT if wanted.list else trees[0], wanted.only, wanted.without)
    known = equivalents()
    mutants = [m for m in mutants if (m[0], m[3].strip(), shown(m[4])) not in known]
    draw(wanted.seed, mutants)
    print(f"seed {wanted.seed}: {wanted.count} of {len(mutants)} mutants", flush=True)
    if wanted.list:
        for name, number, kind, line, changed in mutants[: wanted.count]:
            print(f"{name}:{number + 1} {kind}\n  - {line.strip()}\n  + {shown(changed)}")
        return 0

    os.environ["SINEW_GOLDEN_EAGER"] = "1"
    # beside the sources, and the trees are elsewhere
    if (data := ROOT.parent / "shared" / "data").is_dir():
        os.environ.setdefault("SINEW_DATA", str(data))
    runner = Runner(wanted.through)
    for tree in trees:
        build = configure(runner, tree, "release")
        if build is None or runner.run(["ninja", "-j2", f"tests/{FIRST}"], build, 3600) != 0:
            print("the untouched sources do not build")
            return 2
        if runner.run([str(build / "tests" / FIRST)], build, 120) != 0:
            print(f"{FIRST} fails on the untouched sources")
            return 2

    missed = []
    judged = 0
    killed = collections.Counter()
    untouched = {tree: machine_code(tree / "build" / "release") for tree in trees}

    def first(tree, mutant):
        return meet_golden(runner, tree, mutant, untouched[tree])

    for mutant, found in in_trees(trees, first, mutants):
        if found is not None:
            judged += 1
            killed["release"] += found
            print(f"{judged:3} {'killed by ' + FIRST if found else 'left':36} {place(mutant)}", flush=True)
            if not found:
                missed.append(mutant)
        if judged == wanted.count:
            break
    print(f"{FIRST}: {killed['release']} of {judged} killed", flush=True)

    survivors = missed
    if missed and not wanted.golden_only:
        measured = lines_of_tests(runner, scratch, trees[0], wanted.longest)
        if measured is None:
            print("the untouched sources do not build with --coverage")
            return 2
        for tree in trees if wanted.sanitizers else []:
            build = configure(runner, tree, "asan")
            if build is None or runner.run(["ninja", "-j2"], build, 3600) != 0:
                print("the untouched sources do not build with the sanitizers")
                return 2

        def judge(tree, mutant):
            name, number = mutant[0], mutant[1]
            tests = sorted(
                ((test, it["seconds"], it["command"]) for test, it in measured.items()
                 if test != FIRST and number + 1 in it["lines"].get(name, [])),
                key=lambda pair: pair[1],
            )
            return meet_others(runner, tree, mutant, tests, wanted.sanitizers)

        survivors = []
        for mutant, (by, where) in in_trees(trees, judge, missed):
            if by is None:
                survivors.append(mutant)
                continue
            killed[where] += 1
            by += "" if where == "release" else " (sanitizers)"
            print(f"    killed by {by:32} {place(mutant)}", flush=True)
    for mutant in survivors:
        print(f"SURVIVED {place(mutant)}\n      - {mutant[3].strip()}\n      + {shown(mutant[4])}")
    total = sum(killed.values())
    print(f"mutants, seed {wanted.seed}: {total} of {judged} killed, {need} wanted; "
          f"{killed['release']} by the release build's tests")
    if not wanted.tree:
        shutil.rmtree(scratch)
    return 0 if total >= need else 1


if __name__ == "__main__":
    sys.exit(main())
