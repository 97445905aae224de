"""computeml: tensors on Vulkan; products, softmax, normalization, and a step of training by gradients; against NumPy."""

import computeml as cml
import numpy as np

rng = np.random.default_rng(2)
x, w, t = (rng.standard_normal(shape).astype(np.float32) for shape in ((32, 24), (24, 16), (32, 16)))
ctx = cml.Context()
print(ctx)
a, b, target = ctx.asarray(x), ctx.asarray(w, requires_grad=True), ctx.asarray(t)
y = cml.ops.matmul(a, b)
assert np.allclose(y.numpy(), x @ w, atol=1e-4)
e = np.exp(x @ w - (x @ w).max(axis=1, keepdims=True))
assert np.allclose(cml.ops.softmax(y).numpy(), e / e.sum(axis=1, keepdims=True), atol=1e-5)
ctx.clear_tape()
loss = cml.ops.mse_loss(cml.ops.tanh(cml.ops.matmul(a, b)), target)
loss.backward()
h = np.tanh(x @ w)
assert np.allclose(loss.numpy(), ((h - t) ** 2).mean(), atol=1e-5)
want = x.T @ (2 * (h - t) / h.size * (1 - h * h))
assert np.allclose(b.grad.numpy(), want, atol=1e-5), (b.grad.numpy()[0], want[0])
print("right")
