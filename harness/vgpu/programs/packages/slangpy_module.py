"""SlangPy: a Slang shader compiled at run time, dispatched on Vulkan; against NumPy."""

import pathlib
import tempfile

import numpy as np
import slangpy as spy

SHADER = """
StructuredBuffer<float> a;
RWStructuredBuffer<float> b;
uniform uint count;
uniform float scale;
[shader("compute")]
[numthreads(64, 1, 1)]
void main(uint3 tid: SV_DispatchThreadID)
{
    if (tid.x >= count) return;
    float sum = 0;
    for (uint n = 0; n < 16; n++) sum += a[(tid.x + n) % count];
    b[tid.x] = sum * scale;
}
"""

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "sums.slang").write_text(SHADER)
    device = spy.Device(type=spy.DeviceType.vulkan, compiler_options={"include_paths": [folder]})
    print(device.info.adapter_name)
    kernel = device.create_compute_kernel(device.load_program("sums.slang", ["main"]))
    a = np.arange(1000, dtype=np.float32) % 37
    usage = spy.BufferUsage.shader_resource | spy.BufferUsage.unordered_access
    source = device.create_buffer(element_count=1000, struct_size=4, usage=usage, data=a)
    target = device.create_buffer(element_count=1000, struct_size=4, usage=usage)
    kernel.dispatch(thread_count=[1000, 1, 1], vars={"a": source, "b": target, "count": 1000, "scale": 0.25})
    got = target.to_numpy().view(np.float32)[:1000]
    want = sum(np.roll(a, -n) for n in range(16)) * np.float32(0.25)
    assert np.array_equal(got, want), (got[:8], want[:8])
print("right")
