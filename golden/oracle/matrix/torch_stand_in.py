"""A stand-in for torch over numpy: what MMA-Sim's models of AMD matrix cores call, and no more.

`make.py` puts this module where `import torch` finds it, so that the models run as their authors
wrote them. Tensors here are batches of at least one dimension on the CPU; all roundings are those
of IEEE 754, to nearest even, and numpy keeps subnormals.
"""
import types

import ml_dtypes
import numpy as np

float64, float32, float16 = np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.float16)
bfloat16 = np.dtype(ml_dtypes.bfloat16)
float8_e4m3fnuz, float8_e5m2fnuz = np.dtype(ml_dtypes.float8_e4m3fnuz), np.dtype(ml_dtypes.float8_e5m2fnuz)
float8_e4m3fn, float8_e5m2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
uint8, int16, int32 = np.dtype(np.uint8), np.dtype(np.int16), np.dtype(np.int32)


def raw(x):
    """The numpy array of a tensor; other things (Python's numbers, slices) as they are."""
    if isinstance(x, tuple):
        return tuple(raw(y) for y in x)
    return x.array if isinstance(x, Tensor) else x


class Tensor:
    def __init__(self, array):
        self.array = array

    dtype = property(lambda self: self.array.dtype)
    shape = property(lambda self: self.array.shape)

    # Types.
    def to(self, dtype):
        return Tensor(self.array.astype(dtype))

    def float(self):
        return self.to(float32)

    def double(self):
        return self.to(float64)

    def view(self, dtype):
        return Tensor(np.ascontiguousarray(self.array).view(dtype))

    # Parts. A mask gives a copy and a slice a view, in numpy as in torch.
    def __getitem__(self, key):
        return Tensor(self.array[raw(key)])

    def __setitem__(self, key, value):
        self.array[raw(key)] = raw(value)

    def unsqueeze(self, dim):
        return Tensor(np.expand_dims(self.array, dim))

    def squeeze(self, dim):
        return Tensor(np.squeeze(self.array, dim))

    def unbind(self, dim):
        return [Tensor(part.copy()) for part in np.moveaxis(self.array, dim, 0)]

    def gather(self, dim, index):
        return Tensor(np.take_along_axis(self.array, raw(index), dim))

    def scatter(self, dim, index, source):
        array = self.array.copy()
        np.put_along_axis(array, raw(index), raw(source), dim)
        return Tensor(array)

    # From many elements to one.
    def any(self):
        return bool(self.array.any())

    def max(self, dim):
        return types.SimpleNamespace(values=Tensor(self.array.max(dim)))

    def sum(self, dim):
        """Starts from +0, so that negative zeros add up to +0, as in torch."""
        return Tensor(self.array.sum(dim, initial=0))

    def argmax(self, dim, keepdim):
        return Tensor(self.array.argmax(dim, keepdims=keepdim))

    # One element at a time. Numpy's types combine like torch's for all that the models combine.
    def abs(self):
        return Tensor(np.abs(self.array))

    def isnan(self):
        return Tensor(np.isnan(self.array))

    def isinf(self):
        return Tensor(np.isinf(self.array))

    def nan_to_num(self):
        return Tensor(np.nan_to_num(self.array))

    def __add__(self, other):
        return Tensor(self.array + raw(other))

    def __sub__(self, other):
        return Tensor(self.array - raw(other))

    def __mul__(self, other):
        return Tensor(self.array * raw(other))

    __radd__, __rmul__ = __add__, __mul__

    def __iadd__(self, other):
        self.array += raw(other)
        return self

    def __imul__(self, other):
        self.array *= raw(other)
        return self

    def __and__(self, other):
        return Tensor(self.array & raw(other))

    def __or__(self, other):
        return Tensor(self.array | raw(other))

    def __rshift__(self, count):
        return Tensor(self.array >> count)

    def __lshift__(self, count):
        return Tensor(self.array << count)

    # The small types compare as doubles, which hold all of their values.
    def compared(self):
        return self.array.astype(float64)

    def __lt__(self, other):
        return Tensor(self.compared() < raw(other))

    def __gt__(self, other):
        return Tensor(self.compared() > raw(other))

    def __ge__(self, other):
        return Tensor(self.compared() >= raw(other))

    def __eq__(self, other):
        return Tensor(self.compared() == raw(other))


def tensor(values, dtype):
    return Tensor(np.array(values).astype(dtype))


def zeros_like(x):
    return Tensor(np.zeros_like(x.array))


# The exponent of an infinity or a NaN: C leaves it open; glibc has 0.
NOT_FINITE = 0


def frexp(x):
    significand, exponent = np.frexp(x.array)
    return Tensor(significand), Tensor(np.where(np.isfinite(x.array), exponent, NOT_FINITE).astype(int32))


def exp2(e):
    """The argument is always a whole number: no function of a mathematical library is to blame."""
    one = np.float64(1) if e.dtype == float64 else np.float32(1)
    return Tensor(np.ldexp(one, e.array.astype(int32)))


def trunc(x):
    return Tensor(np.trunc(x.array))


def floor(x):
    return Tensor(np.floor(x.array))


def sign(x):
    return Tensor(np.sign(x.array))


def max(x, y):
    return Tensor(np.maximum(x.array, y.array))


def where(condition, x, y):
    return Tensor(np.where(raw(condition), raw(x), raw(y)))


def cat(parts, dim):
    return Tensor(np.concatenate([part.array for part in parts], dim))


def stack(parts, dim):
    return Tensor(np.stack([part.array for part in parts], dim))


def equal(x, y):
    return np.array_equal(x.array, y.array)
