#!/usr/bin/env python3
"""Makes layouts.tsv.zst and sums.tsv.zst, from two tools that others wrote. See README.md beside it.

    make.py CALCULATOR MMASIM [--out FOLDER]

CALCULATOR is a checkout of AMD's Matrix Instruction Calculator (the folder with
matrix_calculator.py). MMASIM is a folder with the package `mmasim` of MMA-Sim: mmasim/__init__.py
and, in mmasim/arithmetic, fdpa.py, ftz_mul_add.py and helper.py. Neither tool is part of this
project. Needs Python 3.11, numpy, ml_dtypes and the program zstd; torch is not needed, as
torch_stand_in.py takes its place.
"""
import argparse, collections, ctypes, ctypes.util, pathlib, random, re, subprocess, sys, types
from fractions import Fraction

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
SEED = 20261125


# ---- Layouts: where the elements of a matrix lie ---------------------------------------------

# Processor, the calculator's name for its architecture, its class, sizes of a wave.
MACHINES = [
    ("gfx908", "cdna1", "InstCalcGfx9", [64]),
    ("gfx90a", "cdna2", "InstCalcGfx9", [64]),
    ("gfx940", "cdna3", "InstCalcGfx9", [64]),
    ("gfx1100", "rdna3", "InstCalcGfx11", [32, 64]),
    ("gfx1200", "rdna4", "InstCalcGfx12", [32, 64]),
]
PLAIN = dict(cbsz=0, abid=0, blgp=0, opsel=0)
REGISTER = re.compile(r"v(?:(\d+)|\[\d+:(\d+)\])(?:\.\[\d+:(\d+)\])?$")


def spread(count, most):
    """At most `most` of the numbers below `count`, first and last among them."""
    if count <= most:
        return list(range(count))
    return [round(i * (count - 1) / (most - 1)) for i in range(most)]


def place(register, lanes):
    """The calculator's name of a register, or of a part of one, and lanes, as REG.BIT:LANE,LANE."""
    single, low, bit = REGISTER.match(register).groups()
    return f"{single or low}.{bit or 0}:{','.join(map(str, lanes))}"


def layout(calculator, matrix, setting):
    """All elements of a matrix: blocks outermost, then rows, then columns."""
    info = calculator.inst_info
    rows = range(info["k"] if matrix == "B" else info["m"])
    columns = range(info["k"] if matrix in "AK" else info["n"])
    places = []
    for block in range(info["blocks"]):
        for row in rows:
            for column in columns:
                i, j, k = (row, 0, column) if matrix in "AK" else (0, column, row) if matrix == "B" else (row, column, 0)
                _, register, lanes = calculator._get_reg_lanes(matrix.lower(), i, j, k, block, **setting)
                places.append(place(register, lanes))
    return " ".join(places)


def settings(calculator, gpu, matrix):
    """The modifiers for which a line is written."""
    info = calculator.inst_info
    yield PLAIN
    if matrix == "A" and info["cbsz_abid"] and not info["sparse"]:
        for cbsz in range(1, min(4, info["blocks"].bit_length() - 1) + 1):
            for abid in spread(2**cbsz, 4):
                yield PLAIN | dict(cbsz=cbsz, abid=abid)
    if matrix == "B" and info["blgp"] and info["in_type"] != "fp64":
        for blgp in range(1, 8):
            yield PLAIN | dict(blgp=blgp)
    if matrix == "K":
        sets = calculator.get_num_compression_sets()
        if gpu == "gfx940":
            yield from (PLAIN | dict(abid=abid) for abid in range(1, sets))
            yield from (PLAIN | dict(cbsz=cbsz, abid=sets - 1) for cbsz in (1, 2, 3))
        else:
            yield from (PLAIN | dict(opsel=opsel) for opsel in range(1, sets))
    if matrix in "CD" and info["cd_opsel"]:
        yield PLAIN | dict(opsel=4)


def layouts(folder):
    if "tabulate" not in sys.modules:  # Only its printing needs it.
        sys.modules["tabulate"] = types.SimpleNamespace(tabulate=None)
    sys.path.insert(0, str(folder))
    import matrix_calculator as tool

    for gpu, architecture, kind, waves in MACHINES:
        for name, info in tool.dict_insts[architecture].items():
            for wave in waves:
                calculator = getattr(tool, kind)(name, info, wave)
                for matrix in "ABDK" if info["sparse"] else "ABDC":
                    for setting in settings(calculator, gpu, matrix):
                        elements = layout(calculator, matrix, setting)
                        if matrix == "C" and elements == layout(calculator, "D", setting):
                            continue
                        numbers = [info["m"], info["n"], info["k"], info["blocks"]]
                        fields = [gpu, wave, name.lower(), *numbers, matrix, *setting.values(), elements]
                        yield "\t".join(map(str, fields))


# ---- Numbers: formats, and what a pattern of bits means --------------------------------------


class Format:
    """A format of floating-point numbers. `fnuz` ones have one zero, one NaN and no infinities."""

    def __init__(self, exponent, fraction, bias=None, fnuz=False):
        self.exponent, self.fraction, self.fnuz = exponent, fraction, fnuz
        self.bias = 2 ** (exponent - 1) - 1 if bias is None else bias
        self.width = 1 + exponent + fraction
        self.sign = 1 << (self.width - 1)
        self.lowest = 1 - self.bias
        self.highest = 2**exponent - 1 - self.bias - (0 if fnuz else 1)
        self.digits = self.width // 4

    def normal(self, sign, exponent, fraction):
        """A number with that exponent; a too small one becomes subnormal, a too large one the largest."""
        if exponent > self.highest:
            exponent, fraction = self.highest, 2**self.fraction - 1
        if exponent < self.lowest:
            significand = (2**self.fraction + fraction) >> min(self.lowest - exponent, self.fraction + 1)
            return self.signed(sign, significand)
        return self.signed(sign, (exponent + self.bias) << self.fraction | fraction)

    def signed(self, sign, magnitude):
        return 0 if self.fnuz and magnitude == 0 else magnitude | (self.sign if sign else 0)

    def infinity(self, sign):
        return self.sign if self.fnuz else self.signed(sign, (2**self.exponent - 1) << self.fraction)

    def nan(self, sign):
        return self.sign if self.fnuz else self.infinity(sign) | 1 << (self.fraction - 1)

    def negated(self, bits):
        return bits if self.fnuz and bits & ~self.sign == 0 else bits ^ self.sign

    def value(self, bits):
        """A Fraction, or a float where the number is not finite."""
        if self.fnuz and bits == self.sign:
            return float("nan")
        sign = -1 if bits & self.sign else 1
        exponent = bits >> self.fraction & (2**self.exponent - 1)
        fraction = bits & (2**self.fraction - 1)
        if exponent == 2**self.exponent - 1 and not self.fnuz:
            return float("nan") if fraction else sign * float("inf")
        significand = fraction + (2**self.fraction if exponent else 0)
        return sign * significand * Fraction(2) ** (max(exponent, 1) - self.bias - self.fraction)

    def nearest(self, value):
        """The nearest number to a Fraction, ties to even. A zero is positive."""
        sign, value = value < 0, abs(value)
        if value == 0:
            return 0
        exponent = max(leading(value), self.lowest)
        significand = round(value * Fraction(2) ** (self.fraction - exponent))
        magnitude = significand + (exponent + self.bias - 1 << self.fraction)
        return self.signed(sign, min(magnitude, self.infinity(0)))


def leading(value):
    """The exponent of a positive Fraction's leading bit."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    return exponent if value >= Fraction(2) ** exponent else exponent - 1


F64, F32, F16, BF16 = Format(11, 52), Format(8, 23), Format(5, 10), Format(8, 7)
FP8, BF8 = Format(4, 3, 8, True), Format(5, 2, 16, True)


# ---- Kinds of dot product --------------------------------------------------------------------

Kind = collections.namedtuple("Kind", "gpu type a b c length group model cases")


def kinds():
    """All that are written: processor, type, formats, how many products, how many a step takes."""
    three = ["gfx908", "gfx90a", "gfx940"]
    for gpu in three[1:]:
        yield Kind(gpu, "f64", F64, F64, F64, 4, 1, "fma", 200)
    for gpu in three:
        yield Kind(gpu, "f32", F32, F32, F32, 4, 1, "fma", 200)
    yield Kind("gfx908", "f16", F16, F16, F32, 16, 4, "exact", 640)
    yield Kind("gfx908", "bf16", BF16, BF16, F32, 8, 2, "exact", 640)
    yield Kind("gfx90a", "f16", F16, F16, F32, 16, 4, "flush", 640)
    yield Kind("gfx90a", "bf16", BF16, BF16, F32, 8, 2, "flush", 640)
    yield Kind("gfx90a", "bf16_1k", BF16, BF16, F32, 16, 4, "flush", 640)
    yield Kind("gfx940", "xf32", F32, F32, F32, 8, 4, "truncate", 640)
    yield Kind("gfx940", "f16", F16, F16, F32, 16, 8, "truncate", 640)
    yield Kind("gfx940", "bf16", BF16, BF16, F32, 16, 8, "truncate", 640)
    for a, b in [("fp8", "fp8"), ("fp8", "bf8"), ("bf8", "fp8"), ("bf8", "bf8")]:
        small = dict(fp8=FP8, bf8=BF8)
        yield Kind("gfx940", f"{a}_{b}", small[a], small[b], F32, 32, 16, "halves", 640)


# ---- Cases: what is multiplied and added -----------------------------------------------------


class Draw:
    """Draws cases of one kind. Each method below `case_` is a way to draw one: (a values, b values, c)."""

    def __init__(self, kind, rng):
        self.kind, self.rng = kind, rng
        low, high = kind.a.lowest + kind.b.lowest, kind.a.highest + kind.b.highest
        # Exponents of products, as far as the sum can hold them, and some room to the ends.
        self.low, self.high = max(low, kind.c.lowest - 30), min(high, kind.c.highest)

    def fraction(self, form):
        """Often few bits, so that sums cancel and ties happen; often all of them."""
        bits = self.rng.getrandbits(form.fraction)
        style = self.rng.randrange(6)
        if style == 0:
            return 0
        if style == 1:
            return bits & bits >> 1 & bits << 1
        if style == 2:
            return bits >> form.fraction // 2 << form.fraction // 2
        if style == 3:
            return (2**form.fraction - 1) ^ (bits & 1)
        return bits

    def number(self, form, exponent, sign=None):
        sign = self.rng.getrandbits(1) if sign is None else sign
        return form.normal(sign, exponent, self.fraction(form))

    def subnormal(self, form, sign=None):
        sign = self.rng.getrandbits(1) if sign is None else sign
        return form.signed(sign, self.rng.randrange(1, 2 ** self.rng.randint(1, form.fraction)))

    def zero(self, form):
        return form.signed(self.rng.getrandbits(1), 0)

    def factors(self, exponent, sign=None):
        """Two numbers whose product has about that exponent (less by one, or far from it, at the ends)."""
        a, b = self.kind.a, self.kind.b
        low = max(a.lowest, exponent - b.highest)
        high = min(a.highest, exponent - b.lowest)
        first = self.rng.randint(low, high) if low <= high else self.rng.choice([low, high])
        if self.rng.randrange(2) and low <= high:
            first = min(max(exponent // 2 + self.rng.randint(-2, 2), low), high)
        negative = self.rng.getrandbits(1) if sign is None else sign
        flip = self.rng.getrandbits(1)
        return self.number(a, first, negative ^ flip), self.number(b, exponent - first, flip)

    def exponent(self, margin=0):
        return self.rng.randint(self.low + margin, self.high - margin)

    def products(self, exponents, signs=None):
        pairs = [self.factors(e, signs[i] if signs else None) for i, e in enumerate(exponents)]
        return [a for a, _ in pairs], [b for _, b in pairs]

    def few(self, most, exponent_of, sign=None):
        """Zeros, but for a few products at any place."""
        a, b = [], []
        chosen = self.rng.sample(range(self.kind.length), self.rng.randint(1, most))
        for k in range(self.kind.length):
            pair = self.factors(exponent_of(), sign) if k in chosen else (self.zero(self.kind.a), self.zero(self.kind.b))
            a.append(pair[0]), b.append(pair[1])
        return a, b

    def middle(self):
        """An exponent with room on both sides."""
        room = min(12, (self.high - self.low) // 4)
        middle = max(self.low + room, min(self.high - room, 0))
        return middle + self.rng.randint(-room, room)

    def case_near(self):
        e, spread = self.middle(), self.rng.choice([0, 1, 3])
        a, b = self.products([e + self.rng.randint(-spread, spread) for _ in range(self.kind.length)])
        return a, b, self.number(self.kind.c, e + self.rng.randint(-3, 5))

    def case_wide(self):
        e, spread = self.middle(), self.rng.choice([8, 14, 20, 30])
        a, b = self.products([e + self.rng.randint(-spread, spread) for _ in range(self.kind.length)])
        return a, b, self.number(self.kind.c, e + self.rng.randint(-spread - 8, spread + 8))

    def case_large_c(self):
        e = self.middle()
        a, b = self.products([e + self.rng.randint(-2, 2) for _ in range(self.kind.length)])
        far = self.kind.c.fraction
        return a, b, self.number(self.kind.c, e + self.rng.randint(far - 4, far + 12))

    def case_small_c(self):
        e = self.middle()
        a, b = self.products([e + self.rng.randint(-2, 2) for _ in range(self.kind.length)])
        far = self.kind.c.fraction
        return a, b, self.number(self.kind.c, e - self.rng.randint(far - 5, far + 14))

    def case_few(self):
        """One large product or a large c, and little ones just at the end of what is kept."""
        e, far = self.middle(), self.kind.c.fraction
        ends = [1, 2, far - 1, far, far + 1, far + 2, far + 6, far + 8, far + 9, far + 12]
        offsets = [0] + [-self.rng.choice(ends) for _ in range(3)]
        a, b = self.few(4, lambda: max(self.low, e + self.rng.choice(offsets)))
        c = self.number(self.kind.c, e + self.rng.choice(offsets)) if self.rng.randrange(4) else self.zero(self.kind.c)
        return a, b, c

    def case_cancel(self):
        """Products and their negatives, in one step of the sum or in two, and what is left over."""
        e, spread = self.middle(), self.rng.choice([0, 6, 16])
        a, b = self.products([e + self.rng.randint(-spread, spread) for _ in range(self.kind.length)])
        places = list(range(self.kind.length))
        if self.rng.randrange(2):
            self.rng.shuffle(places)
        for i in range(0, len(places) - self.rng.choice([0, 1, 2, 4]), 2):
            p, q = places[i], places[i + 1]
            a[q], b[q] = self.kind.a.negated(a[p]), b[p]
        if self.rng.randrange(3):
            return a, b, self.number(self.kind.c, e - self.rng.randint(0, 40))
        return a, b, self.zero(self.kind.c)

    def case_cancel_c(self):
        """A c that takes the largest product away, or nearly the whole sum."""
        e, spread = self.middle(), self.rng.choice([2, 12, 24])
        a, b = self.products([e - self.rng.randint(0, spread) for _ in range(self.kind.length)])
        products = [self.kind.a.value(x) * self.kind.b.value(y) for x, y in zip(a, b)]
        gone = self.rng.choice([max(products, key=abs), sum(products), sum(products[: self.kind.group])])
        c = self.kind.c.nearest(-Fraction(gone))
        return a, b, c ^ self.rng.choice([0, 0, 1, 2])

    def case_subnormal_in(self):
        a, b = self.products([self.exponent() for _ in range(self.kind.length)])
        for k in range(self.kind.length):
            where = self.rng.randrange(8)
            if where & 1:
                a[k] = self.subnormal(self.kind.a)
            if where & 4:
                b[k] = self.subnormal(self.kind.b)
            if where in (2, 6):  # A partner that lifts it.
                a[k] = self.number(self.kind.a, self.kind.a.highest - self.rng.randrange(3))
                b[k] = self.subnormal(self.kind.b)
        c = self.rng.choice([self.subnormal(self.kind.c), self.zero(self.kind.c), self.number(self.kind.c, self.exponent())])
        return a, b, c

    def case_subnormal_out(self):
        """Products and sums about the smallest normal number of c, if the factors reach so far down."""
        end = max(self.low, self.kind.c.lowest)
        few = self.rng.choice([2, self.kind.length])
        e = end + self.rng.choice([-1, 0, 1, 4, 12])
        a, b = self.few(few, lambda: max(self.low, e - self.rng.choice([0, 0, 1, 2, 3, 12, 22, 24, 30])))
        if self.rng.randrange(2):  # Neighbours whose sum is smaller than either.
            k, sign = self.rng.randrange(0, self.kind.length, 2), self.rng.getrandbits(1)
            a[k], b[k] = self.factors(end + self.rng.randrange(3), sign)
            a[k + 1], b[k + 1] = self.factors(end + self.rng.randrange(3), 1 - sign)
        near = self.number(self.kind.c, self.kind.c.lowest + self.rng.randint(-6, 6))
        return a, b, self.rng.choice([self.subnormal(self.kind.c), self.zero(self.kind.c), near])

    def case_zero(self):
        a = [self.zero(self.kind.a) for _ in range(self.kind.length)]
        b = [self.rng.choice([self.zero(self.kind.b), self.number(self.kind.b, 0)]) for _ in a]
        if self.rng.randrange(3) == 0:  # All products of one sign.
            a, b = [self.kind.a.signed(1, 0)] * len(a), [self.kind.b.normal(0, 0, 0)] * len(a)
        if self.rng.randrange(3) == 0:
            k = self.rng.randrange(len(a))
            a[k], b[k] = self.factors(self.exponent())
        if self.rng.randrange(3) == 0:  # Products that take each other away exactly.
            k = self.rng.randrange(len(a) - 1)
            a[k], b[k] = self.factors(self.middle())
            a[k + 1], b[k + 1] = self.kind.a.negated(a[k]), b[k]
        c = self.rng.choice([self.zero(self.kind.c), self.subnormal(self.kind.c), self.number(self.kind.c, self.exponent())])
        return a, b, self.rng.choice([c, self.zero(self.kind.c)])

    def case_tie(self):
        """A sum half way between two numbers, or just beside that, mostly negative."""
        sign = self.rng.randrange(4) != 0
        return self.tie(sign, self.rng.choice([0, 1, 2, 3, self.fraction(self.kind.c)]), self.rng.getrandbits(1))

    def case_carry(self):
        """The same where c has only ones or only zeros, so that the exponent goes up or down by one."""
        sign, ones = self.rng.getrandbits(1), self.rng.getrandbits(1)
        top = 2**self.kind.c.fraction - 1
        return self.tie(sign, self.rng.choice([top, top - 1] if ones else [0, 1]), sign ^ (1 - ones))

    def tie(self, sign, fraction, half_sign):
        """A c, a product that is half as much as c's last bit, and up to two that are much less."""
        far = self.kind.c.fraction
        e = self.over(far + 10)
        half = e - far - 1 + self.rng.choice([0, 0, 0, 1, -1])
        parts = [half] + [half - self.rng.randint(1, 12) for _ in range(self.rng.randint(0, 2))]
        signs = [half_sign] + [self.rng.getrandbits(1) for _ in parts]
        a, b, places = self.placed([self.power(part, s, self.rng.randrange(4) == 0) for part, s in zip(parts, signs)])
        c = self.kind.c.normal(sign, e, fraction)
        if self.rng.randrange(4) == 0:  # Without c: the products alone make the tie, as far as they can.
            c = self.zero(self.kind.c)
            k = self.rng.choice([k for k in range(self.kind.length) if k not in places])
            a[k], b[k] = self.factors(e, sign)
        return a, b, c

    def case_below(self):
        """A tie of c and one product, and a bit about 32 places below the leading one, where the sum ends."""
        far = self.kind.c.fraction
        e, sign, down = self.over(far + 14), self.rng.getrandbits(1), self.rng.getrandbits(1)
        half = e - far - 1 - down
        little = half - self.rng.choice([6, 7, 8, 9])
        pairs = [self.power(half, sign ^ down, False), self.power(little, self.rng.getrandbits(1), False)]
        a, b, _ = self.placed(pairs, True)
        return a, b, self.kind.c.normal(sign, e, 0 if down else self.rng.choice([0, 1, 2, 3]))

    def over(self, room):
        """An exponent for c with so much room for products below it."""
        return max(self.low + room, min(self.high - 2, self.middle() + room))

    def placed(self, pairs, together=False):
        """Zeros, but for these products, most of the time in one step of the sum."""
        a = [self.zero(self.kind.a) for _ in range(self.kind.length)]
        b = [self.zero(self.kind.b) for _ in a]
        start, size, step = 0, self.kind.length, self.kind.group
        if step >= len(pairs) and (together or self.rng.randrange(4)):
            start, size = self.rng.randrange(0, size, step), step
        places = self.rng.sample(range(start, start + size), len(pairs))
        for k, pair in zip(places, pairs):
            a[k], b[k] = pair
        return a, b, places

    def power(self, exponent, sign, more):
        """A product that is a power of two, or if `more` one and a half times that."""
        a, b = self.kind.a, self.kind.b
        low, high = max(a.lowest, exponent - b.highest), min(a.highest, exponent - b.lowest)
        first = self.rng.randint(low, high) if low <= high else a.lowest
        return a.normal(sign, first, 2 ** (a.fraction - 1) if more else 0), b.normal(0, exponent - first, 0)

    def case_overflow(self):
        """Products and sums about the largest number of c; where factors are small, c alone is large."""
        top = self.kind.c.highest
        if self.kind.a.highest + self.kind.b.highest < top:
            a, b = self.products([self.high - self.rng.randrange(4) for _ in range(self.kind.length)])
            sign = self.rng.getrandbits(1)
            infinite = self.kind.c.infinity(sign)
            return a, b, self.rng.choice([infinite - 1, infinite - 2, infinite, self.number(self.kind.c, top, sign)])
        e = top + self.rng.choice([-4, -3, -1, 0, 1, 2])
        few = self.rng.choice([1, 2, 3, self.kind.length])
        sign = self.rng.choice([None, None, 0, 1])
        a, b = self.few(few, lambda: e - self.rng.choice([0, 0, 1, 4]), sign)
        if self.rng.randrange(3) == 0:  # What goes over is taken back.
            k = self.rng.randrange(len(a) - 1)
            a[k], b[k] = self.factors(e)
            a[k + 1], b[k + 1] = self.kind.a.negated(a[k]), b[k]
        c = self.rng.choice([self.zero(self.kind.c), self.number(self.kind.c, top), self.number(self.kind.c, top - 23)])
        return a, b, c

    def case_special(self):
        """NaNs and infinities, where a factor can be one."""
        a, b, c = self.rng.choice([self.case_near, self.case_wide, self.case_zero])()
        for _ in range(self.rng.randint(1, 2)):
            k = self.rng.randrange(len(a))
            form, values = self.rng.choice([(self.kind.a, a), (self.kind.b, b)])
            what = self.rng.randrange(5)
            if what < 3:
                values[k] = form.infinity(self.rng.getrandbits(1))
            elif what == 3:
                values[k] = form.nan(self.rng.getrandbits(1))
            else:  # Infinity times zero.
                a[k], b[k] = self.kind.a.infinity(self.rng.getrandbits(1)), self.zero(self.kind.b)
        if self.rng.randrange(3) == 0 or self.kind.a.fnuz and self.rng.randrange(3):
            if self.kind.a.fnuz:
                a, b, _ = self.case_near()
            c = self.rng.choice([self.kind.c.infinity(0), self.kind.c.infinity(1), self.kind.c.nan(0)])
        return a, b, c

    def case_negative(self):
        e, spread = self.middle(), self.rng.choice([1, 5, 15, 28])
        length = self.kind.length
        a, b = self.products([e + self.rng.randint(-spread, spread) for _ in range(length)], [1] * length)
        return a, b, self.number(self.kind.c, e + self.rng.randint(-spread - 6, spread + 6), 1)

    def case_bits(self):
        """Any bits at all but NaNs and most infinities, as one in a row decides the result."""

        def drawn(form):
            while True:
                bits = self.rng.getrandbits(form.width)
                if finite(form.value(bits)) or abs(form.value(bits)) == float("inf") and self.rng.randrange(8) == 0:
                    return bits

        length = self.kind.length
        return [drawn(self.kind.a) for _ in range(length)], [drawn(self.kind.b) for _ in range(length)], drawn(self.kind.c)

    def cases(self):
        ways = [getattr(self, name) for name in sorted(dir(self)) if name.startswith("case_")]
        if self.low <= self.kind.c.lowest:  # Products can be so small: more of these.
            ways.append(self.case_subnormal_out)
        if self.kind.model in ("truncate", "halves"):
            ways += [self.case_below] * 2
        rows = [way() for _ in range(-(-self.kind.cases // len(ways))) for way in ways][: self.kind.cases]
        if self.kind.type == "xf32":  # The low 13 bits do not count. Half of the rows have none.
            for n, (a, b, c) in enumerate(rows):
                if n % 2:
                    rows[n] = ([x & ~0x1FFF for x in a], [x & ~0x1FFF for x in b], c)
        return rows


# ---- Sums: what the models make of the cases -------------------------------------------------

LIBM = ctypes.CDLL(ctypes.util.find_library("m"))
LIBM.fma.restype, LIBM.fma.argtypes = ctypes.c_double, [ctypes.c_double] * 3
LIBM.fmaf.restype, LIBM.fmaf.argtypes = ctypes.c_float, [ctypes.c_float] * 3


def fma_chain(a, b, c):
    """One fused multiply-add after the other. Arrays of floats: cases by products, and cases."""
    step = LIBM.fma if c.dtype == np.float64 else LIBM.fmaf
    sums = []
    for row_a, row_b, sum in zip(a.tolist(), b.tolist(), c.tolist()):
        for x, y in zip(row_a, row_b):
            sum = step(x, y, sum)
        sums.append(sum)
    return np.array(sums).astype(c.dtype)


class Models:
    """MMA-Sim's models, by the names in kinds()."""

    def __init__(self, folder):
        sys.path.insert(0, str(HERE))
        sys.path.insert(0, str(folder))
        import torch_stand_in as torch

        sys.modules["torch"] = torch
        from mmasim.arithmetic import fdpa, ftz_mul_add

        self.torch, self.fdpa, self.ftz = torch, fdpa, ftz_mul_add
        self.types = {F64: torch.float64, F32: torch.float32, F16: torch.float16, BF16: torch.bfloat16}
        self.types |= {FP8: torch.float8_e4m3fnuz, BF8: torch.float8_e5m2fnuz}

    def model(self, kind):
        if kind.model == "exact":
            return self.fdpa.MMA_E_FDPA(kind.group)
        if kind.model == "flush":
            return self.ftz.MMA_FTZ_MUL_ADD(kind.group)
        both = dict(F=24, F2=31, rho="RNE-FP32", L_max=kind.group)
        return self.fdpa.MMA_TR_FDPA(**both) if kind.model == "truncate" else self.fdpa.MMA_GTR_FDPA(**both)

    def array(self, form, bits):
        return np.array(bits, dtype=f"u{form.width // 8}").view(self.types[form])

    def sums(self, kind, rows):
        """The results as in the file; None where it hangs on which exponent frexp gives an infinity or a NaN."""
        results = []
        for self.torch.NOT_FINITE in (0, 129):
            results.append(self.results(kind, rows))
        return [one if one == other else None for one, other in zip(*results)]

    def results(self, kind, rows):
        a, b, c = (self.array(form, [row[n] for row in rows]) for n, form in enumerate([kind.a, kind.b, kind.c]))
        with np.errstate(all="ignore"):
            if kind.model == "fma":
                d = fma_chain(a, b, c)
            else:
                d = self.model(kind).dpa(*(self.torch.Tensor(x.copy()) for x in (a, b, c))).array
        assert d.dtype == self.types[kind.c] and d.shape == c.shape
        bits = d.view(f"u{kind.c.width // 8}").tolist()
        return ["nan" if x != x else f"{y:0{kind.c.digits}x}" for x, y in zip(d, bits)]


# ---- A look at the sums with exact numbers ---------------------------------------------------


def finite(value):
    return isinstance(value, (Fraction, int))


def flushed(value, form=F32):
    """Zero, if smaller than the smallest normal number."""
    return Fraction(0) if abs(value) < Fraction(2) ** form.lowest else value


def rounded(value, flush=False):
    """The nearest f32 to a Fraction, as a Fraction or an infinity."""
    result = F32.value(F32.nearest(value))
    return flushed(result) if flush and finite(result) else result


def steps(kind, row):
    """The products, those of each step of the sum together, and c, if all are finite; else None.

    A product comes with the exponent that the hardware has for it: the sum of those of the factors,
    where a subnormal factor has the lowest one of its format.
    """
    factors = [(kind.a.value(x), kind.b.value(y)) for x, y in zip(row[0], row[1])]
    if kind.type == "xf32":
        factors = [(kind.a.value(x & ~0x1FFF), kind.b.value(y & ~0x1FFF)) for x, y in zip(row[0], row[1])]
    c = kind.c.value(row[2])
    if not finite(c) or any(not finite(x) or not finite(y) for x, y in factors):
        return None
    if kind.model == "flush":
        factors = [(flushed(x, kind.a), flushed(y, kind.b)) for x, y in factors]
        c = flushed(c)
    products = [(x * y, low_exponent(x, kind.a) + low_exponent(y, kind.b)) for x, y in factors]
    return [products[i : i + kind.group] for i in range(0, len(products), kind.group)], c


def low_exponent(value, form):
    return max(leading(abs(value)), form.lowest) if value else form.lowest


def exactly(kind, row):
    """What comes out if each step is rounded once (fma, exact) or each operation (flush).

    None: something on the way is not finite.
    """
    found = steps(kind, row)
    if found is None:
        return None
    groups, sum = found
    for group in groups:
        if kind.model == "flush":
            parts = [rounded(p, True) for p, _ in group]
            while len(parts) > 1 and all(map(finite, parts)):
                parts = [rounded(parts[i] + parts[i + 1], True) for i in range(0, len(parts), 2)]
            if not all(map(finite, parts)):
                return None
            sum = rounded(sum + parts[0], True)
        else:
            total = sum
            for p, _ in group:
                total += p
            sum = kind.c.value(kind.c.nearest(total))
        if not finite(sum):
            return None
    return sum


def bound(kind, row):
    """For the models which truncate: the exact sum, and by how much the result may differ.

    None: something on the way is not finite.
    """
    found = steps(kind, row)
    if found is None:
        return None
    groups, sum = found
    error = Fraction(0)
    for group in groups:
        if any(abs(p) >= Fraction(2) ** 128 for p, _ in group):
            return None
        largest = max([e for p, e in group if p] + [low_exponent(abs(sum) + error, F32)])
        total = sum
        for p, _ in group:
            total += p
        # Each summand may lose what is 24 bits below the largest exponent; the halves of fp8 and the
        # sum with c a bit more; then the result is rounded.
        unit = Fraction(2) ** (largest - 24)
        last = Fraction(2) ** (low_exponent(abs(total) + error, F32) - 23)
        error += (len(group) + 4) * unit + last
        if abs(total) + error >= Fraction(2) ** 128:
            return None
        sum = total
    return sum, error


def check(kind, rows, sums):
    """Looks at all finite cases; returns words about them."""
    same = within = skipped = correct = 0
    for row, bits in zip(rows, sums):
        got = float("nan") if bits == "nan" else kind.c.value(int(bits, 16))
        if kind.model in ("truncate", "halves"):
            found = bound(kind, row)
            if found is None:
                skipped += 1
                continue
            exact, error = found
            assert finite(got) and abs(got - exact) <= error, (kind, row, bits, float(exact), float(error))
            within += 1
            correct += got == kind.c.value(kind.c.nearest(exact))
        else:
            want = exactly(kind, row)
            if want is None:
                skipped += 1
                continue
            assert got == want, (kind, row, bits, want)
            same += 1
    if same:
        return f"{same} equal to exact arithmetic with the same roundings, {skipped} with something not finite"
    return f"{within} within the bound, {correct} of them the nearest number, {skipped} with something not finite"


def sums(folder):
    models = Models(folder)
    for kind in kinds():
        rows = Draw(kind, random.Random(f"{SEED} {kind.gpu} {kind.type}")).cases()
        results = models.sums(kind, rows)
        rows = [row for row, result in zip(rows, results) if result]
        results = [result for result in results if result]
        print(kind.gpu, kind.type, len(rows), check(kind, rows, results), file=sys.stderr)
        for (a, b, c), d in zip(rows, results):
            lists = [(kind.a, a), (kind.b, b), (kind.c, [c])]
            values = ["".join(f"{x:0{form.digits}x}" for x in list) for form, list in lists]
            yield "\t".join([kind.gpu, kind.type, *values, d])


def write(path, lines):
    lines = list(lines)
    plain = path.with_suffix("")
    plain.write_text("".join(line + "\n" for line in lines))
    subprocess.run(["zstd", "-19", "-q", "-f", "--rm", str(plain), "-o", str(path)], check=True)
    count = collections.Counter(line.split("\t")[0] for line in lines)
    print(path.name, len(lines), "lines,", path.stat().st_size, "bytes,", dict(count), file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("calculator", type=pathlib.Path)
    parser.add_argument("mmasim", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    arguments = parser.parse_args()
    write(arguments.out / "layouts.tsv.zst", layouts(arguments.calculator))
    write(arguments.out / "sums.tsv.zst", sums(arguments.mmasim))
