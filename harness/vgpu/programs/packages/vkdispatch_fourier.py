"""vkdispatch: Fourier transforms by its own shaders and by VkFFT's, both made at run time; against NumPy."""

import numpy as np
import vkdispatch as vd
import vkdispatch.vkfft as vkfft

x = np.random.default_rng(1).standard_normal((4, 256)).astype(np.complex64)
want = np.fft.fft(x)
buffer = vd.Buffer(x.shape, vd.complex64)
for transform in (vd.fft.fft, vkfft.fft):
    buffer.write(x)
    transform(buffer)
    assert np.allclose(buffer.read(0), want, atol=1e-3), np.abs(buffer.read(0) - want).max()
print("right")
