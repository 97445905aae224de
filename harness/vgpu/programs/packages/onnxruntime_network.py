"""ONNX Runtime with its WebGPU provider (Dawn on Vulkan): convolution, attention-like products, softmax; against its CPU provider."""

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

rng = np.random.default_rng(11)
tensor = lambda name, shape: onnx.numpy_helper.from_array((rng.standard_normal(shape) * 0.2).astype(np.float32), name)
nodes = [
    helper.make_node("Conv", ["x", "w", "b"], ["c"], kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["c"], ["r"]),
    helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Reshape", ["p", "shape"], ["q"]),
    helper.make_node("Transpose", ["q"], ["t"], perm=[1, 0]),
    helper.make_node("MatMul", ["q", "t"], ["s"]),
    helper.make_node("Softmax", ["s"], ["a"], axis=-1),
    helper.make_node("MatMul", ["a", "q"], ["v"]),
    helper.make_node("ReduceMean", ["v"], ["m"], axes=[1], keepdims=0),
    helper.make_node("Tanh", ["m"], ["y"]),
]
shape = onnx.numpy_helper.from_array(np.array([16, 64], dtype=np.int64), "shape")
graph = helper.make_graph(
    nodes,
    "net",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])],
    [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("y", "v")],
    [tensor("w", (16, 3, 3, 3)), tensor("b", (16,)), shape],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()
x = rng.standard_normal((1, 3, 16, 16)).astype(np.float32)
results = []
for providers in (["CPUExecutionProvider"], ["WebGpuExecutionProvider"]):
    session = ort.InferenceSession(model, providers=providers)
    assert session.get_providers()[0] == providers[0], session.get_providers()
    results.append(session.run(None, {"x": x}))
for cpu, gpu in zip(*results):
    assert np.abs(cpu).max() > 0.01
    assert np.allclose(cpu, gpu, atol=1e-4, rtol=1e-4), (cpu, gpu)
print("right")
