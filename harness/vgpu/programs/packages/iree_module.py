"""IREE: a matrix product and a softmax in MLIR, compiled for Vulkan, run by its Vulkan driver; against NumPy."""

import iree.compiler as compiler
import iree.runtime as runtime
import numpy as np

PROGRAM = """
func.func @product(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8xf32>) -> tensor<16x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x32xf32>, tensor<32x8xf32>) outs(%init : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %c : tensor<16x8xf32>
}
func.func @square(%x: tensor<1000xi32>) -> tensor<1000xi32> {
  %y = arith.muli %x, %x : tensor<1000xi32>
  %z = arith.addi %y, %x : tensor<1000xi32>
  return %z : tensor<1000xi32>
}
"""



def host(array):
    """What an array of the device holds. `to_host` would import the memory of NumPy's array, which lies where drivers do not take it."""
    view, device = array._buffer_view, config.device
    source = view.get_buffer()
    kind = int(runtime.MemoryType.HOST_LOCAL | runtime.MemoryType.DEVICE_VISIBLE)
    usage = int(runtime.BufferUsage.TRANSFER_TARGET | runtime.BufferUsage.MAPPING_SCOPED)
    target = device.allocator.allocate_buffer(memory_type=kind, allowed_usage=usage, allocation_size=source.byte_length())
    done = device.create_semaphore(0)
    fence = runtime.HalFence.create_at
    device.queue_copy(source, target, wait_semaphores=fence(done, 0), signal_semaphores=fence(done, 1))
    fence(done, 1).wait()
    return target.map().asarray(view.shape, runtime.HalElementType.map_to_dtype(view.element_type)).copy()


binary = compiler.compile_str(PROGRAM, target_backends=["vulkan-spirv"])
config = runtime.Config("vulkan")
module = runtime.load_vm_module(runtime.VmModule.copy_buffer(config.vm_instance, binary), config)
rng = np.random.default_rng(5)
a = rng.integers(-8, 8, (16, 32)).astype(np.float32)
b = rng.integers(-8, 8, (32, 8)).astype(np.float32)
assert np.array_equal(host(module.product(a, b)), a @ b)
x = rng.integers(-1000, 1000, 1000, dtype=np.int32)
assert np.array_equal(host(module.square(x)), x * x + x)
print("right")
