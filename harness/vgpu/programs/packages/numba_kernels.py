"""numba-vulkan: kernels in Python compiled by LLVM to SPIR-V; against NumPy."""

import numba_vulkan as nv
import numpy as np


@nv.jit
def lcg(a, b):
    i = nv.global_id(0)
    if i < a.size:
        v = a[i]
        for _ in range(10):
            v = (v * 5 + 3) & 0xFFFF
        b[i] = v


print(nv.list_devices())
a = (np.arange(1000, dtype=np.int32) * 77) & 0xFFFF
b = np.zeros(1000, dtype=np.int32)
lcg[16, 64](a, b)
want = a.copy()
for _ in range(10):
    want = (want * 5 + 3) & 0xFFFF
assert np.array_equal(b, want), (b[:8], want[:8])
print("right")
