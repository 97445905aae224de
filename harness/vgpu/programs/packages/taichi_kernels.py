"""Taichi: kernels in Python compiled to SPIR-V; sums, a matrix product, a stencil; against NumPy."""

import numpy as np
import taichi as ti

ti.init(arch=ti.vulkan, offline_cache=False, print_ir=False)
assert ti.lang.impl.current_cfg().arch == ti.vulkan, "taichi fell back to another device"
size = 64
a = ti.field(ti.i32, (size, size))
b = ti.field(ti.i32, (size, size))
c = ti.field(ti.i32, (size, size))
total = ti.field(ti.i32, ())
x = ti.ndarray(ti.f32, 4096)


@ti.kernel
def product():
    for i, j in c:
        s = 0
        for k in range(size):
            s += a[i, k] * b[k, j]
        c[i, j] = s


@ti.kernel
def add_up():
    for i, j in a:
        ti.atomic_add(total[None], a[i, j])


@ti.kernel
def smooth(y: ti.types.ndarray(ti.f32, 1)):
    for i in y:
        y[i] = ti.cast(i, ti.f32) * 0.5 + 1.0


rng = np.random.default_rng(7)
na, nb = rng.integers(-100, 100, (2, size, size), dtype=np.int32)
a.from_numpy(na)
b.from_numpy(nb)
product()
add_up()
smooth(x)
assert np.array_equal(c.to_numpy(), na @ nb)
assert total[None] == na.sum()
assert np.array_equal(x.to_numpy(), np.arange(4096, dtype=np.float32) * np.float32(0.5) + 1)
print("right")
