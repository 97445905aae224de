"""ncnn: a small network (convolution, ReLU, pooling, inner product) on the GPU and on ncnn's CPU path."""

import os
import tempfile

import ncnn
import numpy as np

PARAM = """7767517
5 5
Input input 0 1 data
Convolution conv 1 1 data conv 0=8 1=3 4=1 5=1 6=216
ReLU relu 1 1 conv relu
Pooling pool 1 1 relu pool 0=0 1=2 2=2
InnerProduct fc 1 1 pool out 0=10 1=1 2=5120
"""

assert ncnn.get_gpu_count() > 0, "ncnn finds no Vulkan device"
print(ncnn.get_gpu_info(0).device_name())
rng = np.random.default_rng(3)
weights = lambda n: (rng.standard_normal(n) * 0.2).astype(np.float32)
data = rng.standard_normal((3, 16, 16)).astype(np.float32)
with tempfile.TemporaryDirectory() as folder:
    param, model = os.path.join(folder, "net.param"), os.path.join(folder, "net.bin")
    with open(param, "w") as file:
        file.write(PARAM.replace("2=5120", f"2={10 * 8 * 8 * 8}"))
    with open(model, "wb") as file:
        # A tag of zero says that weights are of 32 bits.
        file.write(bytes(4) + weights(216).tobytes() + weights(8).tobytes())
        file.write(bytes(4) + weights(5120).tobytes() + weights(10).tobytes())

    def run(gpu):
        net = ncnn.Net()
        net.opt.use_vulkan_compute = gpu
        net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
        if gpu:
            net.set_vulkan_device(0)
        assert net.load_param(param) == 0 and net.load_model(model) == 0
        extractor = net.create_extractor()
        extractor.input("data", ncnn.Mat(data))
        code, out = extractor.extract("out")
        assert code == 0, code
        return np.array(out)

    cpu, gpu = run(False), run(True)
assert np.abs(cpu).max() > 0.1
assert np.allclose(cpu, gpu, atol=1e-4), (cpu, gpu)
print("right")
