#!/usr/bin/env python3
"""Makes golden/oracle/vectors: what llvm-mc says about lines generated from the rows. See README.md beside it.

    cargo build --release --example oracle && golden/oracle/make.py [GPU...]

With `--survey DIR` all generated lines are tried, and the files go to DIR: too many to keep, good for looking for mistakes.
"""
import pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORACLE = ROOT / "target/release/examples/oracle"
LLVM_MC = "llvm-mc-19"
# Processor, features, and how many generated lines stand for one that is kept.
RUNS = [
    ("gfx600", "", 6), ("gfx700", "", 6), ("gfx803", "", 8), ("gfx810", "", 60), ("gfx900", "", 8), ("gfx904", "", 60),
    ("gfx906", "", 12), ("gfx908", "", 20), ("gfx90a", "", 12), ("gfx940", "", 12), ("gfx1010", "", 12),
    ("gfx1010", "+wavefrontsize64", 50), ("gfx1011", "", 60), ("gfx1013", "", 60), ("gfx1030", "", 14),
    ("gfx1030", "+wavefrontsize64", 60), ("gfx1100", "", 20), ("gfx1100", "+wavefrontsize64", 70),
    ("gfx1100", "+real-true16", 50), ("gfx1150", "", 30), ("gfx1150", "+wavefrontsize64", 100), ("gfx1200", "", 20),
    ("gfx1200", "+wavefrontsize64", 70), ("gfx1200", "+real-true16", 50),
]


def llvm(gpu, mattr, extra, text):
    command = [LLVM_MC, "-triple=amdgcn", f"-mcpu={gpu}", f"-mattr={mattr}", "-show-encoding", *extra]
    run = subprocess.run(command, input=text, capture_output=True, text=True)
    return run.stdout, run.stderr


ENCODED = re.compile(r"^\t(.*?)\s*; encoding: \[([0-9a-fx,]*)\]")
REFUSED = re.compile(r"^<stdin>:(\d+):\d+: error: (.*)$")


def instructions(stdout):
    """Text and bytes of every printed instruction. An encoding with more than eight bytes may stand on two lines."""
    for line in stdout.splitlines():
        found = ENCODED.match(line)
        if found:
            yield re.sub("  +", " ", found.group(1)), found.group(2).replace("0x", "").replace(",", "")


def assemble(gpu, mattr, lines):
    """The lines llvm-mc takes, with bytes and text, and those it refuses, with its message."""
    stdout, stderr = llvm(gpu, mattr, [], "\n".join(lines) + "\n")
    refused = {}
    for line in stderr.splitlines():
        found = REFUSED.match(line)
        if found:
            refused.setdefault(int(found.group(1)) - 1, found.group(2))
    taken = [line for i, line in enumerate(lines) if i not in refused]
    made = list(instructions(stdout))
    assert len(taken) == len(made), (gpu, mattr, len(taken), len(made))
    return [(a, code, text) for a, (text, code) in zip(taken, made)], [(lines[i], m) for i, m in refused.items()]


def disassemble(gpu, mattr, codes):
    """The text of every code, as the disassembler has it. Each code is a list of its own, so that none spoils the next."""
    text = "\n".join("[" + ",".join(f"0x{c[i:i + 2]}" for i in range(0, len(c), 2)) + "]" for c in codes)
    stdout, stderr = llvm(gpu, mattr, ["-disassemble"], text + "\n")
    if "not yet supported" in stderr:
        return None
    invalid = {int(n) - 1 for n in re.findall(r"^<stdin>:(\d+):\d+: warning: ", stderr, re.M)}
    valid = [code for i, code in enumerate(codes) if i not in invalid]
    made = list(instructions(stdout))
    assert len(valid) == len(made), (gpu, mattr, len(valid), len(made))
    return {code: text for code, (text, _) in zip(valid, made)}


def save(path, lines):
    subprocess.run(["zstd", "-q", "-19", "-f", "-o", str(path), "-"], input="\n".join(lines) + "\n", text=True, check=True)


def main():
    survey = None
    args = sys.argv[1:]
    if args[:1] == ["--survey"]:
        survey, args = pathlib.Path(args[1]), args[2:]
    folder = survey or ROOT / "golden/oracle/vectors"
    folder.mkdir(parents=True, exist_ok=True)
    for gpu in dict.fromkeys(r[0] for r in RUNS):
        if args and gpu not in args:
            continue
        kept = ["#asm\thex (memory order)\tmattr\tcanonical text\tencoding"]
        refusals = ["#asm that must be rejected\tmattr\tmessage llvm gives"]
        for _, mattr, fraction in (r for r in RUNS if r[0] == gpu):
            command = [str(ORACLE), gpu, mattr, "1" if survey else str(fraction)]
            generated = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
            family = dict(reversed(line.split("\t")) for line in generated)
            taken, refused = assemble(gpu, mattr, list(family))
            texts = disassemble(gpu, mattr, list(dict.fromkeys(code for _, code, _ in taken)))
            for asm, code, text in taken:
                kept.append(f"{asm}\t{code}\t{mattr}\t{text if texts is None else texts.get(code, '')}\t{family[asm]}")
            refusals += [f"{asm}\t{mattr}\t{message}" for asm, message in refused]
            print(gpu, mattr, len(generated), "lines,", len(taken), "taken,", len(refused), "refused", flush=True)
        save(folder / f"{gpu}.tsv.zst", kept)
        save(folder / f"{gpu}.reject.tsv.zst", refusals)


main()
