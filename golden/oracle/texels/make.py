"""Makes texels.bin.zst: elements of image formats and the texels that others read from them. See README.md."""

import decimal
import io
import random
import struct
import sys
from fractions import Fraction

import numpy as np
import texture2ddecoder
import zstandard
from lavapipe import Lavapipe
from PIL import Image

random.seed(20240607)
lavapipe = Lavapipe()
print("lavapipe:", lavapipe.version)
out = bytearray()
compared = {}


def count(what, n):
    compared[what] = compared.get(what, 0) + n


# ---- Sections. `L`: elements and texels. `D`: all elements of a width, digests. `S`: components and the element stored.


def section(tag, name, *sizes):
    out.extend(tag.encode() + struct.pack("<B", len(name)) + name.encode() + struct.pack("<%dI" % len(sizes), *sizes))


def loads(name, elements, texels, components, form):
    """`form`: B unorm bytes, H halves, I bits of 32."""
    section("L", name, len(elements[0]), len(texels[0]), components, ord(form), len(elements))
    for element, values in zip(elements, texels):
        out.extend(element)
        for value in values:
            out.extend(struct.pack("<%d%s" % (components, form), *value[:components]))


def digests(name, size, components, function):
    """FNV-1a of each component over all elements in order."""
    sums = [0xCBF29CE484222325] * components
    for n in range(1 << (8 * size)):
        for c, value in enumerate(function(n)):
            sums[c] = ((sums[c] ^ value) * 0x100000001B3) & (2**64 - 1)
    section("D", name, size, components)
    out.extend(struct.pack("<%dQ" % components, *sums))
    count("exhaustive elements", 1 << (8 * size))


def stores(name, size, cases):
    section("S", name, size, len(cases))
    for values, word in cases:
        out.extend(struct.pack("<4I", *values) + word.to_bytes(size, "little"))
    count("stores", len(cases))


# ---- Exact arithmetic.


def f32(x):
    """Bits of the f32 nearest to a fraction, ties to even."""
    if x == 0:
        return 0
    sign, x = (1 << 31, -x) if x < 0 else (0, x)
    e = 0
    while x >= Fraction(2) ** (e + 1):
        e += 1
    while x < Fraction(2) ** e:
        e -= 1
    e = max(e, -126)
    scaled = x / Fraction(2) ** (e - 23)
    whole = scaled.numerator // scaled.denominator
    rest = scaled - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2)
    # The hidden bit is a step of the exponent.
    return sign | (((e + 126) << 23) + whole if whole >= 1 << 23 else whole)


def value(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def fields(word, widths):
    start, parts = 0, []
    for w in widths:
        parts.append((word >> start & (1 << w) - 1, w))
        start += w
    return parts


def unorm(n, w):
    return Fraction(n, 2**w - 1)


def snorm(n, w):
    n = n - (1 << w) if n >> (w - 1) else n
    return max(Fraction(n, 2 ** (w - 1) - 1), Fraction(-1))


def small_float(n, w):
    """Unsigned floats of 10 and 11 bits: their bits as an f32's."""
    m = w - 5
    e, f = n >> m, n & (1 << m) - 1
    if e == 31:
        return 0x7F800000 | f << (23 - m)
    return f32(Fraction(f, 1 << m) * Fraction(2) ** -14 if e == 0 else (1 + Fraction(f, 1 << m)) * Fraction(2) ** (e - 15))


# ---- Texels of up to 32 bits.

NARROW = {
    "4_4_UNORM": (1, [4, 4]),
    "5_6_5_UNORM": (2, [5, 6, 5]),
    "1_5_5_5_UNORM": (2, [5, 5, 5, 1]),
    "5_5_5_1_UNORM": (2, [1, 5, 5, 5]),
    "4_4_4_4_UNORM": (2, [4, 4, 4, 4]),
    "6_5_5_UNORM": (2, [5, 5, 6]),
    "8_UNORM": (1, [8]),
    "16_UNORM": (2, [16]),
    "8_8_UNORM": (2, [8, 8]),
}
for name, (size, widths) in NARROW.items():
    table = {w: [f32(unorm(n, w)) for n in range(1 << w)] for w in set(widths)}
    digests(name, size, len(widths), lambda word: [table[w][n] for n, w in fields(word, widths)])
for name, (size, widths) in {"8_SNORM": (1, [8]), "16_SNORM": (2, [16]), "8_8_SNORM": (2, [8, 8])}.items():
    table = {w: [f32(snorm(n, w)) for n in range(1 << w)] for w in set(widths)}
    digests(name, size, len(widths), lambda word: [table[w][n] for n, w in fields(word, widths)])


def half(n):
    """numpy's; a signalling NaN keeps its bits."""
    if n & 0x7C00 == 0x7C00:
        return (n & 0x8000) << 16 | 0x7F800000 | (n & 0x3FF) << 13
    return int(np.array([n], dtype=np.uint16).view(np.float16).astype(np.float32).view(np.uint32)[0])


HALVES = [half(n) for n in range(1 << 16)]
digests("16_FLOAT", 2, 1, lambda n: [HALVES[n]])
digests("8_UINT", 1, 1, lambda n: [n])
digests("8_SINT", 1, 1, lambda n: [n | 0xFFFFFF00 if n & 128 else n])

EDGES = [0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x00FFFFFF, 0xFF000000, 0x7F, 0x80, 0x55555555, 0xAAAAAAAA, 0xF8000000, 0x08000001]
WORDS = EDGES + [1 << n for n in range(2, 32)] + [random.getrandbits(32) for _ in range(64)]


def words(name, widths, function, other=None):
    """Texels of 32 bits."""
    expected = [[function(n, w) for n, w in fields(word, widths)] for word in WORDS]
    data = [word.to_bytes(4, "little") for word in WORDS]
    loads(name, data, [[e] for e in expected], len(widths), "I")
    count("words", len(WORDS))
    if other:
        raw = np.frombuffer(lavapipe.fetch(other, b"".join(data), len(WORDS), 1, 4 * len(WORDS), 1), dtype=np.uint32)
        for e, o in zip(expected, raw.reshape(-1, 4)):
            for mine, theirs in zip(e, o):
                a, b = value(mine), value(int(theirs))
                # Its normalising multiplies by a rounded reciprocal; its floats are exact, but for NaN's bits.
                near = abs(mine - int(theirs)) <= 4 or abs(a - b) <= 2e-7
                assert near or (a != a and b != b), (name, hex(mine), hex(theirs))
                count("lavapipe, packed components", 1)


words("8_24_UNORM", [24, 8], lambda n, w: f32(unorm(n, w)))
words("24_8_UNORM", [8, 24], lambda n, w: f32(unorm(n, w)))
words("8_24_UINT", [24, 8], lambda n, w: n)
words("24_8_UINT", [8, 24], lambda n, w: n)
words("10_11_11_FLOAT", [11, 11, 10], small_float, "rg11b10ufloat")
words("11_11_10_FLOAT", [10, 11, 11], small_float)
words("2_10_10_10_UNORM", [10, 10, 10, 2], lambda n, w: f32(unorm(n, w)), "rgb10a2unorm")
words("10_10_10_2_UNORM", [2, 10, 10, 10], lambda n, w: f32(unorm(n, w)))
words("8_8_8_8_SNORM", [8, 8, 8, 8], lambda n, w: f32(snorm(n, w)), "rgba8snorm")
words("8_8_8_8_UNORM", [8, 8, 8, 8], lambda n, w: f32(unorm(n, w)), "rgba8unorm")
words("16_16_UNORM", [16, 16], lambda n, w: f32(unorm(n, w)))
words("32_FLOAT", [32], lambda n, w: n)
words("32_FLOAT_CLAMP", [32], lambda n, w: n)


def shared(word):
    e = word >> 27
    return [f32(Fraction(word >> (9 * n) & 511) * Fraction(2) ** (e - 24)) for n in range(3)]


data = [word.to_bytes(4, "little") for word in WORDS]
loads("5_9_9_9_FLOAT", data, [[shared(word)] for word in WORDS], 3, "I")
raw = np.frombuffer(lavapipe.fetch("rgb9e5ufloat", b"".join(data), len(WORDS), 1, 4 * len(WORDS), 1), dtype=np.uint32)
for word, theirs in zip(WORDS, raw.reshape(-1, 4)):
    assert shared(word) == [int(x) for x in theirs[:3]], hex(word)
    count("lavapipe, packed components", 3)

doubles = [random.getrandbits(64) for _ in range(24)] + [0xFFFFFFFFFFFFFFFF, 0xFF, 0x100, 0xFF00000000, 0x3F800000]
pairs = [[d & 0xFFFFFFFF, d >> 32 & 255] for d in doubles]
for name in ["X24_8_32_UINT", "X24_8_32_FLOAT"]:
    loads(name, [d.to_bytes(8, "little") for d in doubles], [[p] for p in pairs], 2, "I")

# ---- sRGB, by `decimal`.

decimal.getcontext().prec = 70


def linear(n):
    c = decimal.Decimal(n) / 255
    if c <= decimal.Decimal("0.04045"):
        return f32(Fraction(n, 255) / Fraction(1292, 100))
    power = ((c + decimal.Decimal("0.055")) / decimal.Decimal("1.055")) ** decimal.Decimal("2.4")
    return f32(Fraction(power))


LINEAR = [linear(n) for n in range(256)]
UNORM8 = [f32(Fraction(n, 255)) for n in range(256)]
texels = [bytes([n, 255 - n, (n * 7) & 255, (n * 11) & 255]) for n in range(256)]
loads("8_SRGB", [bytes([n]) for n in range(256)], [[[LINEAR[n]]] for n in range(256)], 1, "I")
some = texels[::8]
loads("8_8_8_8_SRGB", some, [[[LINEAR[t[0]], LINEAR[t[1]], LINEAR[t[2]], UNORM8[t[3]]]] for t in some], 4, "I")
raw = np.frombuffer(lavapipe.fetch("rgba8unorm-srgb", b"".join(texels), 256, 1, 1024, 1), dtype=np.float32).reshape(-1, 4)
worst = max(abs(float(raw[n][0]) - value(LINEAR[n])) for n in range(256))
print("sRGB: lavapipe is away by", worst, "at most")
assert worst < 2e-3

# ---- Stores.

FLOATS = [0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x3F000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F7FFFFF, 0x00000001, 0x477F8000, 0x477F7FFF, 0x47800000, 0x33800000, 0x37800000]


def some_float():
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(FLOATS)
    if kind == 1:
        return struct.unpack("<I", struct.pack("<f", random.uniform(-0.2, 1.3)))[0]
    if kind == 2:
        return struct.unpack("<I", struct.pack("<f", random.randrange(0, 64) / random.choice([31, 62, 63, 126, 15, 30, 1])))[0]
    return struct.unpack("<I", struct.pack("<f", 2.0 ** random.uniform(-26, 17)))[0]


def clamped(bits, top):
    v = value(bits)
    if v != v or v <= 0:
        return Fraction(0)
    return min(Fraction(v), top) if v != float("inf") else top


def nearest_even(x):
    whole = x.numerator // x.denominator
    rest = x - whole
    return whole + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1))


for name in ["5_6_5_UNORM", "1_5_5_5_UNORM", "5_5_5_1_UNORM", "4_4_4_4_UNORM"]:
    size, widths = NARROW[name]
    cases = []
    for _ in range(40):
        values, word, start = [some_float() for _ in range(4)], 0, 0
        for v, w in zip(values, widths):
            word |= nearest_even(clamped(v, Fraction(1)) * (2**w - 1)) << start
            start += w
        cases.append((values, word))
    stores(name, size, cases)


def share(values):
    top = Fraction(511, 512) * 2**16
    colors = [clamped(v, top) for v in values[:3]]
    most = max(colors)
    log = -16
    while most >= Fraction(2) ** (log + 1):
        log += 1
    e = max(-16, log) + 16

    def mantissa(c, e):
        return int((c / Fraction(2) ** (e - 24) + Fraction(1, 2)).__floor__())

    if mantissa(most, e) == 512:
        e += 1
    return sum(mantissa(c, e) << (9 * n) for n, c in enumerate(colors)) | e << 27


stores("5_9_9_9_FLOAT", 4, [(v, share(v)) for v in ([some_float() for _ in range(4)] for _ in range(160))])

# ---- Blocks. Expected values of BC1 to BC5 are by the rule that was measured on cards, in integers and fractions; others, who round
# otherwise, must be near. BC6 and BC7 are lavapipe's, and all must agree.


def random_block(size):
    kind = random.randrange(6)
    block = bytearray(random.randbytes(size))
    if kind == 0:
        block[0:4] = block[2:4] + block[0:2]
    if kind == 1:
        block[0:4] = random.choice([b"\0\0\xff\xff", b"\xff\xff\0\0", b"\x01\0\0\0", b"\x80\x81\x7f\x80", b"\xff\x7f\x80\x80"])
    if kind == 2:
        block[2:4] = block[0:2]
    return bytes(block)


def between(a, b, w):
    return (64 - w) * a + w * b


def expand(c):
    r, g, b = c >> 11, c >> 5 & 63, c & 31
    return (r * 8 + r // 4, g * 4 + g // 16, b * 8 + b // 4)


def bc1(block, alone):
    first, second, bits = struct.unpack("<HHI", block)
    a, b = expand(first), expand(second)

    def mix(w):
        return tuple((between(x, y, w) + 32) // 64 for x, y in zip(a, b)) + (255,)

    if not alone or first > second:
        palette = [a + (255,), b + (255,), mix(round(64 / 3)), mix(round(128 / 3))]
    else:
        palette = [a + (255,), b + (255,), mix(32), (0, 0, 0, 0)]
    return [palette[bits >> (2 * t) & 3] for t in range(16)]


def line(block, low, high, ends):
    a, b = ends
    bits = int.from_bytes(block[2:], "little")
    if a > b:
        palette = [64 * a, 64 * b] + [between(a, b, round(64 * k / 7)) for k in range(1, 7)]
    else:
        palette = [64 * a, 64 * b] + [between(a, b, round(64 * k / 5)) for k in range(1, 5)] + [64 * low, 64 * high]
    return [palette[bits >> (3 * t) & 7] for t in range(16)]


def bc3(block):
    alphas = [(v + 32) // 64 for v in line(block[:8], 0, 255, (block[0], block[1]))]
    return [c[:3] + (a,) for c, a in zip(bc1(block[8:], False), alphas)]


def bc2(block):
    alphas = int.from_bytes(block[:8], "little")
    return [c[:3] + ((alphas >> (4 * t) & 15) * 17,) for t, c in enumerate(bc1(block[8:], False))]


def single(block, signed):
    if signed:
        ends = [max(-127, e) for e in struct.unpack("<bb", block[:2])]
        return [Fraction(v, 64 * 127) for v in line(block, -127, 127, ends)]
    return [Fraction(v, 64 * 255) for v in line(block, 0, 255, (block[0], block[1]))]


def fetch(name, blocks):
    """Four f32 of each texel, block by block."""
    n, size = len(blocks), len(blocks[0])
    raw = np.frombuffer(lavapipe.fetch(name, b"".join(blocks), 4 * n, 4, size * n, 1), dtype=np.float32)
    return raw.reshape(4, n, 4, 4).transpose(1, 0, 2, 3).reshape(n, 16, 4)


def pillow(block, mode, args):
    return list(Image.frombytes(mode, (4, 4), block, "bcn", *args).get_flattened_data())


def t2d(function, block):
    bgra = function(block, 4, 4)
    return [(bgra[4 * t + 2], bgra[4 * t + 1], bgra[4 * t], bgra[4 * t + 3]) for t in range(16)]


def near(name, mine, theirs, components, tolerance):
    """Values of 0 to 255 (or -127 to 127) of one block; `tolerance` of a step is how others round."""
    for m, t in zip(mine, theirs):
        for c in range(components):
            assert abs(float(m[c]) - float(t[c])) <= tolerance, (name, m, t)
            count(name, 1)


def colors(name, other, size, decode, components, args, function):
    blocks = [random_block(size) for _ in range(32)] + ([b"\0" * size, b"\xff" * size])
    theirs = fetch(other, blocks)
    for block, lava in zip(blocks, theirs):
        mine = decode(block)
        near(name + " lavapipe", mine, lava * 255.0, 4, 3.05)
        near(name + " Pillow", mine, pillow(block, "RGBA", args), 4, 2.4)
        # Its BC3 has three colours too where BC1 would, which no book has.
        first, second, _ = struct.unpack("<HHI", block[-8:])
        if function and (size == 8 or first > second):
            near(name + " texture2ddecoder", mine, t2d(function, block), components, 2.4)
    loads(name, blocks, [decode(b) for b in blocks], 4, "B")


colors("BC1_UNORM", "bc1-rgba-unorm", 8, lambda b: bc1(b, True), 3, (1, "DXT1"), texture2ddecoder.decode_bc1)
colors("BC2_UNORM", "bc2-rgba-unorm", 16, bc2, 4, (2, "DXT3"), None)
colors("BC3_UNORM", "bc3-rgba-unorm", 16, bc3, 4, (3, "DXT5"), texture2ddecoder.decode_bc3)

srgb = [random_block(8) for _ in range(4)]
loads("BC1_SRGB", srgb, [[[LINEAR[v] for v in t[:3]] + [UNORM8[t[3]]] for t in bc1(b, True)] for b in srgb], 4, "I")

for signed, suffix in [(False, "unorm"), (True, "snorm")]:
    top = 127 if signed else 255
    blocks = [random_block(8) for _ in range(32)] + [b"\0" * 8, b"\xff" * 8]
    # The order in which the lowest end point is renamed is undefined in one book and differs: -127, -128.
    own = [bytes([0x81, 0x80]) + random.randbytes(6)] if signed else []
    for block, lava in zip(blocks, fetch("bc4-r-" + suffix, blocks)):
        mine = [[v * top] for v in single(block, signed)]
        # It cuts to bytes.
        near("BC4 lavapipe", mine, lava * float(top), 1, 3.05)
    texels = [[[f32(v)] for v in single(b, signed)] for b in blocks + own]
    loads("BC4_" + suffix.upper(), blocks + own, texels, 1, "I")
    blocks = [random_block(8) + random_block(8) for _ in range(10)]
    for block, lava in zip(blocks, fetch("bc5-rg-" + suffix, blocks)):
        mine = [[a * top, b * top] for a, b in zip(single(block[:8], signed), single(block[8:], signed))]
        near("BC5 lavapipe", mine, lava * float(top), 2, 3.05)
        if not signed:
            near("BC5 Pillow", mine, pillow(block, "RGB", (5, "BC5")), 2, 3.05)
            near("BC5 texture2ddecoder", mine, t2d(texture2ddecoder.decode_bc5, block), 2, 3.05)
    texels = [[[f32(a), f32(b)] for a, b in zip(single(block[:8], signed), single(block[8:], signed))] for block in blocks]
    loads("BC5_" + suffix.upper(), blocks, texels, 2, "I")


def with_low(block, low, bits):
    n = int.from_bytes(block, "little")
    return (n >> bits << bits | low).to_bytes(16, "little")


def bc7_blocks():
    # Bits of mode and partition, and how many partitions.
    for mode, partitions, step in [(0, 16, 1), (1, 64, 1), (2, 64, 1), (3, 64, 4), (7, 64, 4)]:
        for partition in range(0, partitions, step):
            width = 4 if mode == 0 else 6
            yield with_low(random.randbytes(16), partition << (mode + 1) | 1 << mode, mode + 1 + width)
    for mode, kinds in [(4, 8), (5, 4), (6, 1)]:
        for kind in range(kinds):
            for _ in range(2 if kinds > 1 else 6):
                yield with_low(random.randbytes(16), kind << (mode + 1) | 1 << mode, mode + 1 + (kinds.bit_length() - 1))
    yield bytes(16)
    yield b"\0" + random.randbytes(15)
    yield b"\xff" * 16


def bytes_of(lava):
    return [[tuple(int(round(float(v) * 255.0)) for v in t) for t in texels] for texels in lava]


def bc7(blocks):
    theirs = bytes_of(fetch("bc7-rgba-unorm", blocks))
    for block, texels in zip(blocks, theirs):
        assert t2d(texture2ddecoder.decode_bc7, block) == texels or block[0] == 0, block.hex()
        assert pillow(block, "RGBA", (7, "BC7")) == texels or block[0] == 0, block.hex()
        count("BC7 blocks (lavapipe, texture2ddecoder, Pillow agree)", 1)
    return theirs


blocks = list(bc7_blocks())
loads("BC7_UNORM", blocks, bc7(blocks), 4, "B")
for mode in range(8):
    bc7([with_low(random.randbytes(16), 1 << mode, mode + 1) for _ in range(1000)])


def bc6_blocks():
    partition = 0
    for mode in [0, 1, 2, 6, 10, 14, 18, 22, 26, 30]:
        for n in range(7):
            block = with_low(random.randbytes(16), mode, 2 if mode < 2 else 5)
            value = int.from_bytes(block, "little")
            yield (value & ~(31 << 77) | partition % 32 << 77).to_bytes(16, "little")
            partition += 1
    for mode in [3, 7, 11, 15]:
        for _ in range(6):
            yield with_low(random.randbytes(16), mode, 5)
        # The ends of the ranges.
        yield with_low(b"\xff" * 16, mode, 5)
        yield with_low(b"\xff" * 8 + random.randbytes(8), mode, 5)
    for mode in [19, 23, 27, 31]:
        yield with_low(random.randbytes(16), mode, 5)
    yield with_low(bytes.fromhex("00000000000002080000000000000000"), 3, 5)


for name, other in [("BC6_UFLOAT", "bc6h-rgb-ufloat"), ("BC6_SFLOAT", "bc6h-rgb-float")]:
    blocks = list(bc6_blocks())
    theirs = fetch(other, blocks)
    back = {bits: n for n, bits in reversed(list(enumerate(HALVES)))}
    bits = theirs.view(np.uint32)
    loads(name, blocks, [[[back[int(v)] for v in t[:3]] for t in texels] for texels in bits], 3, "H")
    count("BC6 blocks (lavapipe)", len(blocks))

packed = zstandard.ZstdCompressor(level=22).compress(bytes(out))
with open("texels.bin.zst", "wb") as file:
    file.write(packed)
print(len(out), "bytes,", len(packed), "packed")
for what, n in compared.items():
    print(n, what)
