"""vulkan (the plain binding by cffi): every call of a compute program by hand; the shader is SPIR-V made on the spot by glslangValidator."""

import pathlib
import struct
import subprocess
import tempfile

import vulkan as vk

SHADER = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint b[]; };
void main() { uint i = gl_GlobalInvocationID.x; uint v = b[i]; for (uint n = 0; n < 10; n++) v = v * 1664525u + 1013904223u; b[i] = v; }
"""

with tempfile.TemporaryDirectory() as folder:
    source, target = pathlib.Path(folder) / "lcg.comp", pathlib.Path(folder) / "lcg.spv"
    source.write_text(SHADER)
    subprocess.run(["glslangValidator", "-V", "-o", target, source], check=True, stdout=subprocess.DEVNULL)
    code = target.read_bytes()
application = vk.VkApplicationInfo(pApplicationName="vulkan", apiVersion=vk.VK_MAKE_VERSION(1, 1, 0))
instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)
physical = vk.vkEnumeratePhysicalDevices(instance)[0]
print(vk.vkGetPhysicalDeviceProperties(physical).deviceName)
families = vk.vkGetPhysicalDeviceQueueFamilyProperties(physical)
family = next(n for n, one in enumerate(families) if one.queueFlags & vk.VK_QUEUE_COMPUTE_BIT)
queues = [vk.VkDeviceQueueCreateInfo(queueFamilyIndex=family, pQueuePriorities=[1.0])]
device = vk.vkCreateDevice(physical, vk.VkDeviceCreateInfo(pQueueCreateInfos=queues), None)
queue = vk.vkGetDeviceQueue(device, family, 0)
size = 4096
info = vk.VkBufferCreateInfo(size=size, usage=vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
buffer = vk.vkCreateBuffer(device, info, None)
needs = vk.vkGetBufferMemoryRequirements(device, buffer)
types = vk.vkGetPhysicalDeviceMemoryProperties(physical)
wanted = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
kind = next(
    n
    for n in range(types.memoryTypeCount)
    if needs.memoryTypeBits >> n & 1 and types.memoryTypes[n].propertyFlags & wanted == wanted
)
memory = vk.vkAllocateMemory(device, vk.VkMemoryAllocateInfo(allocationSize=needs.size, memoryTypeIndex=kind), None)
vk.vkBindBufferMemory(device, buffer, memory, 0)
mapped = vk.vkMapMemory(device, memory, 0, size, 0)
numbers = [n * n for n in range(1024)]
mapped[:] = struct.pack("1024I", *numbers)
binding = vk.VkDescriptorSetLayoutBinding(
    binding=0, descriptorType=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptorCount=1, stageFlags=vk.VK_SHADER_STAGE_COMPUTE_BIT
)
set_layout = vk.vkCreateDescriptorSetLayout(device, vk.VkDescriptorSetLayoutCreateInfo(pBindings=[binding]), None)
layout = vk.vkCreatePipelineLayout(device, vk.VkPipelineLayoutCreateInfo(pSetLayouts=[set_layout]), None)
module = vk.vkCreateShaderModule(device, vk.VkShaderModuleCreateInfo(codeSize=len(code), pCode=code), None)
stage = vk.VkPipelineShaderStageCreateInfo(stage=vk.VK_SHADER_STAGE_COMPUTE_BIT, module=module, pName="main")
info = vk.VkComputePipelineCreateInfo(stage=stage, layout=layout)
pipeline = vk.vkCreateComputePipelines(device, None, 1, [info], None)
pipeline = pipeline[0]
sizes = [vk.VkDescriptorPoolSize(type=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, descriptorCount=1)]
pool = vk.vkCreateDescriptorPool(device, vk.VkDescriptorPoolCreateInfo(maxSets=1, pPoolSizes=sizes), None)
sets = vk.vkAllocateDescriptorSets(device, vk.VkDescriptorSetAllocateInfo(descriptorPool=pool, pSetLayouts=[set_layout]))
write = vk.VkWriteDescriptorSet(
    dstSet=sets[0],
    dstBinding=0,
    descriptorCount=1,
    descriptorType=vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    pBufferInfo=[vk.VkDescriptorBufferInfo(buffer=buffer, offset=0, range=size)],
)
vk.vkUpdateDescriptorSets(device, 1, [write], 0, None)
commands = vk.vkCreateCommandPool(device, vk.VkCommandPoolCreateInfo(queueFamilyIndex=family), None)
info = vk.VkCommandBufferAllocateInfo(commandPool=commands, level=vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY, commandBufferCount=1)
cmd = vk.vkAllocateCommandBuffers(device, info)[0]
vk.vkBeginCommandBuffer(cmd, vk.VkCommandBufferBeginInfo())
vk.vkCmdBindPipeline(cmd, vk.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline)
vk.vkCmdBindDescriptorSets(cmd, vk.VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, sets, 0, None)
vk.vkCmdDispatch(cmd, 16, 1, 1)
vk.vkEndCommandBuffer(cmd)
vk.vkQueueSubmit(queue, 1, [vk.VkSubmitInfo(pCommandBuffers=[cmd])], None)
vk.vkQueueWaitIdle(queue)
got = struct.unpack("1024I", mapped[:])
for first, last in zip(numbers, got):
    for _ in range(10):
        first = (first * 1664525 + 1013904223) % (1 << 32)
    assert first == last, (hex(first), hex(last))
print("right")
