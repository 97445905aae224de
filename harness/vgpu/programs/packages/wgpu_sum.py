"""wgpu (WebGPU, by wgpu-native): a shader in WGSL, buffers, workgroup memory, atomics; against plain Python."""

import struct

import wgpu

SHADER = """
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> total: atomic<u32>;
var<workgroup> s: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    s[l] = a[g.x] * 3u + 1u;
    workgroupBarrier();
    b[g.x] = s[63u - l] ^ g.x;
    atomicAdd(&total, s[l]);
}
"""

adapter = wgpu.gpu.request_adapter_sync(power_preference="high-performance")
print(adapter.info["device"], adapter.info["backend_type"])
device = adapter.request_device_sync()
count = 1024
numbers = [n * 2654435761 % (1 << 32) for n in range(count)]
usage = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
a = device.create_buffer_with_data(data=struct.pack(f"{count}I", *numbers), usage=usage)
b = device.create_buffer(size=4 * count, usage=usage)
total = device.create_buffer_with_data(data=bytes(4), usage=usage)
module = device.create_shader_module(code=SHADER)
pipeline = device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
entries = [{"binding": n, "resource": {"buffer": x, "offset": 0, "size": x.size}} for n, x in enumerate((a, b, total))]
group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)
encoder = device.create_command_encoder()
work = encoder.begin_compute_pass()
work.set_pipeline(pipeline)
work.set_bind_group(0, group)
work.dispatch_workgroups(count // 64)
work.end()
device.queue.submit([encoder.finish()])
got = struct.unpack(f"{count}I", device.queue.read_buffer(b))
tripled = [(n * 3 + 1) % (1 << 32) for n in numbers]
want = [tripled[n // 64 * 64 + 63 - n % 64] ^ n for n in range(count)]
assert list(got) == want, next((n, hex(g), hex(w)) for n, (g, w) in enumerate(zip(got, want)) if g != w)
assert struct.unpack("I", device.queue.read_buffer(total))[0] == sum(tripled) % (1 << 32)
print("right")
