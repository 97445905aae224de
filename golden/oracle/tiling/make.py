#!/usr/bin/env python3
"""Writes src/memory/image/tiling/data/*.txt from swizzle_matrices.json, and a sample of the vectors (argument 1: the folder all lie in).

The rows of gfx9 to gfx12 are the patterns as they are. Of gfx6 to gfx8 only the tile tables are written: the patterns follow from
them by rule (its tiles.rs)."""
import json, pathlib, random, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCE = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "../shared/tiling"
TARGET = ROOT / "src/memory/image/tiling/data"
GOLDEN = ROOT / "golden/oracle/tiling/tiling.tsv.zst"
JSON = json.loads((SOURCE / "swizzle_matrices.json").read_text())
PATTERNS = JSON["patterns"]

def log2(n):
    assert n > 0 and n & (n - 1) == 0, n
    return n.bit_length() - 1

# gfx9 to gfx12: one file a generation

def modes(title, chips):
    rows = {}
    for chip in chips:
        for m in JSON["chips"][chip]["modes"]:
            bits = PATTERNS[m["p"]]
            low = log2(m["bpp"] // 8)
            assert not any(bits[:low]) and all(bits[low:]) and len(bits) == m["block_log2"]
            w, h, d = m["block"]
            block = f"{w}x{h}" + (f"x{d}" if d > 1 else "")
            key = (m["num"], m["mode"], m["rt"], m["bpp"] // 8, m["samples"], block, " ".join(bits[low:]))
            rows.setdefault(key, []).append(chip)
    # A mode that has the pattern of another one (same chips, element, samples) names that.
    out = []
    for key in sorted(rows, key=lambda k: (k[0], k[2], k[3], k[4], chips.index(rows[k][0]))):
        num, name, rt, size, samples, block, bits = key
        of = next((k for k in sorted(rows) if k[0] < num and k[2:] == key[2:] and set(rows[key]) <= set(rows[k])), None)
        text = f"as {of[1]}" if of else bits
        who = "*" if rows[key] == list(chips) else ",".join(rows[key])
        out.append([str(num), name, rt, str(size), str(samples), block, who, text])
    # 2D and 3D with one pattern share a row.
    merged = []
    flat = {tuple(r[:2] + r[3:]): r for r in out if r[2] == "2D"}
    for r in out:
        twin = flat.get(tuple(r[:2] + r[3:]))
        if r[2] == "3D" and twin and not r[7].startswith("as "):
            twin[2] = "2D/3D"
        else:
            merged.append(r)
    width = [max(len(r[i]) for r in merged) for i in range(7)]
    lines = [" ".join(r[i].ljust(width[i]) for i in range(7)) + " : " + r[7] for r in merged]
    return title + "\n" + "\n".join(lines) + "\n"

HEAD = """# {}
# SW_MODE and its name, dimension, bytes of an element, samples, block in elements, chips (* all of the file) : the bits of the
# offset in a block, from log2(bytes) up, each an XOR of bits of x, y, z and s(ample); or the mode that has the same bits."""
FILES = {
    "gfx9.txt": ("gfx9", ["vega10", "raven", "vega10_gb0"]),
    "gfx10.txt": ("gfx10 and gfx10.3", ["navi10", "navi10_gb0", "navi21", "navi21_gb0"]),
    "gfx11.txt": ("gfx11", ["navi31", "gfx1150", "navi31_gb0"]),
    "gfx12.txt": ("gfx12: no XOR, no dependence on the chip", ["gfx1201"]),
}

# gfx6 to gfx8: tile tables

PIPES = {10: "P8_32x32_8x16", 5: "P4_16x16", 12: "P8_32x32_16x16"}  # PIPE_CONFIG by the order of pipe bits
ROW = {"tahiti": 2048, "bonaire": 2048, "polaris10": 4096}  # bytes of a DRAM row: 1024 << ROW_SIZE of GB_ADDR_CONFIG

def tiles():
    out, pipes, micro = [], {}, {}
    for chip, row in ROW.items():
        macros, table = {}, {}
        for m in JSON["chips"][chip]["modes"]:
            p, size = PATTERNS[m["p"]], m["bpp"] // 8
            thick = m["block"][2]
            macro = not m["array_mode"].startswith("1D")
            if not macro and m["samples"] == 1:
                name = "NONDISP" if m["micro"] == "DEPTH" else m["micro"]
                bits = [b for b in p if b and (name == "THICK" or b[0] != "z")]
                assert micro.setdefault((name, size), bits) == bits
            entry = table.setdefault(m["tile_index"], [m["array_mode"], m["micro"], "-", set(range(4)), set(), set()])
            assert entry[:2] == [m["array_mode"], m["micro"]]
            if not macro:
                continue
            eq = " ".join(p[8:8 + log2(m["pipes"])])
            if eq != "x3^x4^y3 x4^y4 x5":  # partly resident: nothing outside the macro tile takes part, here y5
                entry[2] = {"x4^x5^y3 x3^y4 x5^y5": 10, "x3^x4^y3 x4^y4": 5, "x3^x4^y3 x4^y4 x5^y5": 12}[eq]
                pipes[entry[2]] = eq
            bank = (m["banks"], m["bank_width"], m["bank_height"], m["aspect"])
            if chip == "tahiti" or m["depth"]:
                entry[4].add(m["tile_split"])
            else:  # which SAMPLE_SPLIT gives this
                entry[3] &= {n for n in range(4) if min(row, max(256, 64 * thick * size << n)) == m["tile_split"]}
            if chip == "tahiti":
                entry[5].add(bank)
            else:
                assert macros.setdefault(m["macro_index"], bank) == bank
        out.append(f"\n# {chip}\nrow {chip} {row}")
        out += [f"macro {chip} {n:2} {b:2} {w} {h} {a}" for n, (b, w, h, a) in sorted(macros.items())]
        for n, (array, name, config, samples, split, bank) in sorted(table.items()):
            line = f"tile {chip} {n:2} {array:15} {name:7} {config!s:2}"
            if config != "-":
                assert len(split) < 2 and len(bank) < 2
                line += f" {max(split)}" if split else f" x{1 << min(samples)}"
                line += "".join(f" {v}" for b in bank for v in b)
            out.append(line)
        out.append(f"tile {chip}  8 LINEAR_ALIGNED  DISP    - ")
    order = [f"pipes {n:2} {PIPES[n]:14} : {pipes[n]}" for n in sorted(pipes)]
    shared = {}
    for (name, size), bits in sorted(micro.items()):
        shared.setdefault((name, " ".join(bits)), []).append(str(size))
    order += [f"micro {name:7} {','.join(sizes):10} : {bits}" for (name, bits), sizes in shared.items()]
    return TILES + "\n" + "\n".join(l.rstrip() for l in order + out) + "\n"

TILES = """# gfx6, gfx7, gfx8
# pipes PIPE_CONFIG and its name : the bits of the pipe
# micro tile order, bytes of an element : the bits of an element in an 8x8 tile (THICK: 8x8x4). DEPTH has that of NONDISP.
# row   chip, bytes of a DRAM row
# macro chip, macro tile index (gfx7, gfx8), banks, bank width, bank height, macro tile aspect
# tile  chip, TILING_INDEX, array mode, micro tile order, PIPE_CONFIG, tile split in bytes or (x) SAMPLE_SPLIT; gfx6: banks, bank
#       width, bank height, macro tile aspect"""
# A sample of the vectors

KEEP = "chip number resource format bpp width height depth mips samples pitch mip xor x y z sample offset".split()

def table(name):
    text = subprocess.run(["zstd", "-dcq", SOURCE / name], capture_output=True, check=True, text=True).stdout
    head, *lines = (line.split("\t") for line in text.splitlines())
    return [dict(zip(head, line)) for line in lines]

def pitch(s, chip):
    """What the descriptor of a surface has, plus one; empty where it has nothing."""
    if chip in ROW:
        return int(list(s.values())[-1].split(";")[0].split(",")[1]) * (4 if s["format"] == "bc" else 1)
    if chip in FILES["gfx9.txt"][1]:
        return s["pitch"] if s["mips"] == "1" else s["chain_height" if s["epitch_is_height"] == "1" else "chain_pitch"]
    return ""

def sample(count, each):
    """Chip by chip and mode by mode in turn, `each` vectors of a surface: from its levels, the tail and slices in turn."""
    chance, dealt, chips = random.Random(1), [], {}
    for chip in JSON["chips"]:
        surfaces = {s["surface"]: s for s in table(f"{chip}.surfaces.tsv.zst")}
        vectors = {}
        for v in table(f"{chip}.vectors.tsv.zst"):
            vectors.setdefault(v["surface"], {}).setdefault((v["mip"], v["sample"], v["xor"]), []).append(v)
        modes = {}
        for name, wheres in vectors.items():
            s = surfaces[name]
            linear = {l.split(",")[4].startswith("LINEAR") for l in list(s.values())[-1].split(";")}
            if chip in ROW and len(linear) > 1:  # not modelled: see tiling.rs
                continue
            turns = list(wheres.values())
            chance.shuffle(turns)
            unique = {tuple(w[n].values()): w[n] for n in range(each) for w in turns if n < len(w)}
            some = list(unique.values())[:each]
            for v in some:
                v["pitch"] = str(pitch(s, chip))
            kinds = modes.setdefault((s["number"], s["resource"]), {})
            kinds.setdefault((s["bpp"], s["samples"], s["mips"] == "1"), []).append(some)
        # In a mode, sizes and samples by turns.
        for key, kinds in modes.items():
            order = list(kinds.values())
            chance.shuffle(order)
            modes[key] = [l[n] for n in range(max(map(len, order))) for l in order if n < len(l)]
        longest = max(map(len, modes.values()))
        chips[chip] = [l[n] for n in range(longest) for l in modes.values() if n < len(l)]
    turn = 0
    while len(dealt) < count:
        for surfaces in chips.values():
            if turn < len(surfaces) and len(dealt) < count:
                dealt += surfaces[turn]
        turn += 1
    order = [k for k in KEEP if k in ("chip", "resource", "format")]
    dealt.sort(key=lambda v: [v[k] if k in order else int(v[k] or 0) if k != "xor" else v[k] for k in KEEP])
    text = "\n".join(["\t".join(KEEP)] + ["\t".join(v[k] for k in KEEP) for v in dealt]) + "\n"
    subprocess.run(["zstd", "-19", "--ultra", "-22", "-qfo", GOLDEN], input=text.encode(), check=True)
    print(f"{len(dealt)} vectors, {GOLDEN.stat().st_size} bytes")

if __name__ == "__main__":
    for name, (title, chips) in FILES.items():
        (TARGET / name).write_text(modes(HEAD.format(title), chips))
    (TARGET / "gfx6.txt").write_text(tiles())
    sample(6000, 5)
