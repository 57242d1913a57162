#!/usr/bin/env python3
"""Ablation of the walker with two legs (src/walk/core*.c): what does each mechanism do, and does each number count?

Each mechanism is switched off in a copy of the tree, alone, and the same walks of `sinew walk --trials` are done again: a
table tells how many keep all rules and which rules lose most. With --numbers each `#define NAME number` of core*.c and of what all legs share is made
larger by a share instead, with --conditions each `if` of theirs never holds. What changes no walk, or loses none, is a candidate for
deletion: the tests have the last word, as most of them ask for what these walks do not.

use: tests/ablate.py [--only WORDS ...] [--seconds 10] [--jobs 2] [--mechanism TEXT] [--numbers 0.5 | --conditions] [--file TEXT] [--tree FOLDER] [--check]
--only as in sinew walk, several times; without it 1.3 m/s and to and fro on all walkable grounds (220 walks).
Needs cmake and ninja; ccache is used where it is.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WALK = "src/walk/"
LONGEST = 600  # seconds of all walks that are asked for at once: who takes longer hangs

# what it is, file, a piece of it that must be there, what takes its place
MECHANISMS = [
    ("carry: ceilings of moments to come", "core_carry.c",
     "speed = snw_min(speed, most_speed(height->value, ahead->height, left));", "(void)left;"),
    ("carry: ceilings when feet leave and land", "core_carry.c", "return time < FARTHEST_EVENT ? time", "return time < -1.0 ? time"),
    ("carry: ceiling below the whole leg", "core_carry.c", "#define CEILING 0.993", "#define CEILING 0.9994"),
    ("carry: bounded acceleration", "core.h", "#define SNW_CORE_MOST_RISE 6.99", "#define SNW_CORE_MOST_RISE 99.0"),
    ("foot: heel rises before the ankle's end", "core_project.c", "#define EASE_GAIN 1.25", "#define EASE_GAIN 0.0"),
    ("foot: correction bounded in rate", "core_project.c", "#define CORRECTION_SPEED 4.0", "#define CORRECTION_SPEED 999.0"),
    ("foot: hastened where it would slide", "core_project.c", "#define HASTE 8.0", "#define HASTE 0.0"),
    ("foot: heel rises for hips as high as people's", "core_project.c", "#define HOLD_FROM 0.08", "#define HOLD_FROM 9.0"),
    ("foot: rolls onto its edge", "core_project.c", "#define MOST_BANK 0.5", "#define MOST_BANK 0.0"),
    ("moving foot: knee bounded in speed", "core.h", "#define SNW_CORE_KNEE_SPEED 15.0", "#define SNW_CORE_KNEE_SPEED 999.0"),
    ("moving foot: drawn in before full reach", "core_project.c", "#define SOFT 0.03", "#define SOFT 1e-9"),
    ("moving foot: lifted out of the ground", "core.c", "        if (depth < LEAST_LIFT) { break; }", "        if (depth < 99.0) { break; }"),
    ("moving foot: lifted as fast as its knee turns", "core.c", "        if (sizes->folded <= 0.0) {\n            const", "        if (h < 0.0) {\n            const"),
    ("moving foot: waits until it is there", "core.c", "#define LANDS_WITHIN 0.003", "#define LANDS_WITHIN 99.0"),
    ("swing: rope over what is in the way", "core_swing.c", "snw_core_lay_rope(needs, 1, swing->rope);", "(void)needs;"),
    ("swing: level way waits and hurries", "core_swing.c", "#define MOST_WAIT 0.42", "#define MOST_WAIT 0.0"),
    ("swing: foot flexes while it is lifted", "core_swing.c", "#define LEAST_FLEX 1e-3", "#define LEAST_FLEX 9.0"),
    ("swing: laid for the pitch a landing is eased to", "core_swing.c",
     "    const double pitch = snw_core_eased(swing, (1.0 - leg->t) * swing->duration);",
     "    const double pitch = swing->landing_pitch;"),
    ("swing: lasts as long as the rope asks", "core_swing.c", "#define LONGEST_STRETCH 1.7", "#define LONGEST_STRETCH 1.0"),
    ("swing: comes down gently", "core_swing.c", "#define GENTLY 1.5", "#define GENTLY 1.0"),
    ("swing: plans are made again under way", "core.c", "#define LAST_AIM 0.8", "#define LAST_AIM 0.0"),
    ("foothold: search around the wished place", "core_place.c", "RINGS = 7", "RINGS = 0"),
    ("foothold: drawn down on steep ground", "core_place.c", "if (run <= 0.0) { draw_down(body, view, &there, &wish); }", "(void)draw_down;"),
    ("foothold: drawn in to what is reached", "core_place.c", "#define LEAST_DRAWN 0.5", "#define LEAST_DRAWN 9.0"),
    ("foothold: kept off what cannot be walked", "walk_bounds.c", "#define KEEP_FOOT 0.05", "#define KEEP_FOOT -9.0"),
    ("clock: hurries for a hind foot", "core.c", "#define HURRY 2.0", "#define HURRY 1.0"),
    ("clock: shorter cycles on slopes", "core_clock.c", "    if (rising > 1e-3) {", "    if (rising > 1e9) {"),
    ("root: slower where swings are late", "core_clock.c", "#define LATE_FOLLOW 0.5", "#define LATE_FOLLOW 1e9"),
    ("root: held back by legs", "core_clock.c", "    if (away <= most || away <= 0.0) { return; }", "    if (h >= 0.0) { return; }"),
    ("root: who brakes comes along to a foot", "core_clock.c", "    if (short_by <= 0.0 || lack <= 0.0) { return; }",
     "    if (short_by <= 1e9) { return; }"),
    ("ground: asked ahead of the next step", "core_ahead.c", "MOST_ROWS = 2", "MOST_ROWS = 0"),
]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append")
    parser.add_argument("--seconds", default="10")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--mechanism", default="", help="only those whose name has this text")
    parser.add_argument("--numbers", type=float, help="make each number larger by this share")
    parser.add_argument("--conditions", action="store_true", help="let no condition hold, one after the other")
    parser.add_argument("--file", default="", help="with --numbers or --conditions: only files whose name has this text")
    parser.add_argument("--tree", help="folder for the copy, kept")
    parser.add_argument("--check", action="store_true", help="only look whether each mechanism is where this file says")
    return parser.parse_args()


def copy_tree(folder):
    # with a new date: what was switched off last is built anew; and without what is no longer there
    if folder.exists():
        for entry in folder.iterdir():
            if entry.is_dir() and entry.name != "build":
                shutil.rmtree(entry)
    shutil.copytree(ROOT, folder, dirs_exist_ok=True, copy_function=shutil.copy,
                    ignore=shutil.ignore_patterns("build", ".git", "node_modules"))
    configure = ["cmake", "-S", str(folder), "-B", str(folder / "build"), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 "-DCMAKE_C_FLAGS=-Wno-error"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_C_COMPILER_LAUNCHER=ccache")
    subprocess.run(configure, check=True, capture_output=True)


def build(folder, jobs):
    command = ["ninja", "-C", str(folder / "build"), "-j", jobs, "sinew-command"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-3000:])


def walk(folder, args):
    """All walks, each with its figures; None where they break off."""
    walks = []
    for only in args.only or ["walkable+1.3", "walkable+fro"]:
        command = [str(folder / "build/bin/sinew"), "walk", "--trials", "--only", only, "--seconds", args.seconds,
                   "--jobs", args.jobs, "--json"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST)
            told = json.loads(done.stdout)
        except (subprocess.TimeoutExpired, json.JSONDecodeError):
            return None
        rules = {rule["rule"]: rule for rule in told["rules"]}
        for one in told["trials"]:
            one["broken"] = [name for name, rule in rules.items() if breaks(rule, one.get(name))]
            walks.append(one)
    return walks


def breaks(rule, value):
    if value is None or not rule["walkable"]:
        return False
    return "most" in rule and value > rule["most"] or "least" in rule and value < rule["least"]


def count(walks):
    broken = {}
    for one in walks:
        for name in one["broken"]:
            broken[name] = broken.get(name, 0) + 1
    return sum(1 for one in walks if not one["broken"]), broken


def find_piece(folder, file, old):
    """The text of a file of the walker, which has a piece once."""
    text = (folder / WALK / file).read_text()
    if text.count(old) != 1:
        sys.exit(f"{file}: found {text.count(old)} times, want once: {old}")
    return text


def tell_mechanisms(folder, args):
    build(folder, args.jobs)
    base = walk(folder, args)
    kept, broken = count(base)
    print("| switched off | walks kept | rules that lose most walks |\n| --- | --- | --- |")
    print(f"| nothing | {kept} of {len(base)} | |", flush=True)
    for name, file, old, new in MECHANISMS:
        if args.mechanism not in name:
            continue
        path = folder / WALK / file
        text = find_piece(folder, file, old)
        path.write_text(text.replace(old, new))
        build(folder, args.jobs)
        now = walk(folder, args)
        path.write_text(text)
        if now is None:
            print(f"| {name} | breaks off | |", flush=True)
            continue
        kept_now, broken_now = count(now)
        lost = sorted(((broken_now.get(k, 0) - broken.get(k, 0), k) for k in set(broken) | set(broken_now)), reverse=True)
        most = "; ".join(f"{k} {n}" for n, k in lost[:3] if n > 1)
        print(f"| {name} | {kept_now} | {most if now != base else 'changes nothing'} |", flush=True)


def larger(number, share):
    """A number of the code as it is written, larger by a share; what counts something counts at least one more."""
    if re.fullmatch(r"-?[0-9]+", number):
        return str(int(number) + max(1, round(share * abs(int(number)))))
    return repr(float(number) * (1.0 + share))


def find_numbers(text, args):
    """Each number: what it is, where it stands, what takes its place."""
    pattern = re.compile(r"^#define ([A-Z_0-9]+) (\(?)(-?[0-9.]+(?:e-?[0-9]+)?)\b(.*)$", re.M)
    for match in pattern.finditer(text):
        line = f"#define {match[1]} {match[2]}{larger(match[3], args.numbers)}{match[4]}"
        yield f"{match[1]} = {match[3]}", match.span(), line


def find_conditions(text, _):
    """Each `if` that is written in one line, the same way."""
    for match in re.finditer(r"^( +(?:\} else )?)if \((.*)\) \{", text, re.M):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{line}: {match[2]}", match.span(), f"{match[1]}if (false && ({match[2]})) {{"


def tell_each(folder, args, find):
    """What the walks do as one place after the other of the code is changed."""
    build(folder, args.jobs)
    base = walk(folder, args)
    total = 0
    shared = [folder / WALK / f"walk_{name}.c" for name in ("aboard", "bounds", "drive", "view")]
    for path in sorted((folder / WALK).glob("core*.c")) + shared:
        if args.file not in path.name:
            continue
        text = path.read_text()
        for name, (start, end), changed in find(text, args):
            total += 1
            path.write_text(text[:start] + changed + text[end:])
            build(folder, args.jobs)
            now = walk(folder, args)
            told = "changes nothing" if now == base else f"{count(base)[0]} -> {count(now)[0] if now else 'breaks off'}"
            print(f"{path.name}: {name}: {told}", flush=True)
        path.write_text(text)
    print(f"{total} places")


def main():
    args = arguments()
    if args.check:
        for _, file, old, _ in MECHANISMS:
            find_piece(ROOT, file, old)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(args.tree or scratch)
        copy_tree(folder)
        if args.numbers is not None:
            tell_each(folder, args, find_numbers)
        elif args.conditions:
            tell_each(folder, args, find_conditions)
        else:
            tell_mechanisms(folder, args)


if __name__ == "__main__":
    main()
