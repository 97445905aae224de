"""Texels as Mesa's lavapipe fetches them, through wgpu: `textureLoad` in a compute shader, bits of the four values."""

import os

os.environ.setdefault("XDG_RUNTIME_DIR", "/tmp")
os.environ["WGPU_BACKEND_TYPE"] = "Vulkan"

import wgpu  # noqa: E402

FLOAT = """
@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> out: array<vec4<u32>>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(image);
    let n = id.x;
    if (n >= size.x * size.y) { return; }
    out[n] = bitcast<vec4<u32>>(textureLoad(image, vec2<u32>(n % size.x, n / size.x), 0));
}
"""


class Lavapipe:
    def __init__(self):
        adapters = [a for a in wgpu.gpu.enumerate_adapters_sync() if a.info["backend_type"] == "Vulkan" and "llvmpipe" in a.info["device"]]
        self.adapter = adapters[0]
        self.version = self.adapter.info["description"]
        self.device = self.adapter.request_device_sync(required_features=["texture-compression-bc"])
        self.pipeline = self.device.create_compute_pipeline(
            layout="auto", compute={"module": self.device.create_shader_module(code=FLOAT), "entry_point": "main"}
        )

    def fetch(self, name, data, width, height, row_bytes, rows):
        """Rows of four u32 for each texel, row by row; `data` is `rows` rows of `row_bytes`."""
        size = (width, height, 1)
        texture = self.device.create_texture(
            size=size, format=name, usage=wgpu.TextureUsage.TEXTURE_BINDING | wgpu.TextureUsage.COPY_DST
        )
        self.device.queue.write_texture(
            {"texture": texture}, data, {"bytes_per_row": row_bytes, "rows_per_image": rows}, size
        )
        out = self.device.create_buffer(
            size=width * height * 16, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC
        )
        group = self.device.create_bind_group(
            layout=self.pipeline.get_bind_group_layout(0),
            entries=[
                {"binding": 0, "resource": texture.create_view()},
                {"binding": 1, "resource": {"buffer": out}},
            ],
        )
        encoder = self.device.create_command_encoder()
        compute = encoder.begin_compute_pass()
        compute.set_pipeline(self.pipeline)
        compute.set_bind_group(0, group)
        compute.dispatch_workgroups((width * height + 63) // 64)
        compute.end()
        self.device.queue.submit([encoder.finish()])
        return bytes(self.device.queue.read_buffer(out))
