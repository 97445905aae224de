"""Hephaistos: tensors and programs in GLSL, compiled by the package itself; against NumPy."""

import hephaistos as hp
import numpy as np

CODE = """
#version 460
layout(local_size_x = 32) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) writeonly buffer B { float b[]; };
layout(push_constant) uniform P { float by; };
void main() { uint i = gl_GlobalInvocationID.x; b[i] = a[i] * by + float(i); }
"""

print(hp.enumerateDevices())
data = np.arange(1024, dtype=np.float32) % 17
given, source, target = hp.FloatBuffer(1024), hp.FloatTensor(1024), hp.FloatTensor(1024)
given.numpy()[:] = data
program = hp.Program(hp.Compiler().compile(CODE))
program.bindParams(source, target)
buffer = hp.FloatBuffer(1024)
hp.beginSequence().And(hp.updateTensor(given, source)).Then(program.dispatchPush(np.float32(0.5).tobytes(), 32)).Then(hp.retrieveTensor(target, buffer)).Submit().wait()
want = data * np.float32(0.5) + np.arange(1024, dtype=np.float32)
assert np.array_equal(buffer.numpy(), want), (buffer.numpy()[:8], want[:8])
print("right")
