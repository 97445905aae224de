// webgpu from npm (Dawn): a shader in WGSL with workgroup memory, buffers that are copied and mapped; against plain JavaScript.
import { create, globals } from 'webgpu';
Object.assign(globalThis, globals);
const gpu = create([]);
const adapter = await gpu.requestAdapter();
console.log(adapter.info.description || adapter.info.device, adapter.info.vendor, adapter.info.architecture);
const device = await adapter.requestDevice();
const count = 1024;
const numbers = Uint32Array.from({ length: count }, (_, n) => Math.imul(n, 2654435761));
const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
const a = device.createBuffer({ size: 4 * count, usage });
device.queue.writeBuffer(a, 0, numbers);
const b = device.createBuffer({ size: 4 * count, usage });
const read = device.createBuffer({ size: 4 * count, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
const module = device.createShaderModule({ code: `
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read_write> b: array<u32>;
var<workgroup> s: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    s[l] = a[g.x] * 3u + 1u;
    workgroupBarrier();
    b[g.x] = s[63u - l] ^ g.x;
}` });
const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } });
const entries = [a, b].map((buffer, binding) => ({ binding, resource: { buffer } }));
const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
const encoder = device.createCommandEncoder();
const pass = encoder.beginComputePass();
pass.setPipeline(pipeline);
pass.setBindGroup(0, group);
pass.dispatchWorkgroups(count / 64);
pass.end();
encoder.copyBufferToBuffer(b, 0, read, 0, 4 * count);
device.queue.submit([encoder.finish()]);
await read.mapAsync(GPUMapMode.READ);
const got = new Uint32Array(read.getMappedRange());
for (let n = 0; n < count; n++) {
    const want = ((Math.imul(numbers[(n & ~63) + 63 - (n & 63)], 3) + 1) ^ n) >>> 0;
    if (got[n] !== want) throw new Error(`${n}: ${got[n]} ${want}`);
}
console.log('right');
process.exit(0);
