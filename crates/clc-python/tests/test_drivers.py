"""What is compiled runs: by pyopencl on the OpenCL driver, by a binding of Vulkan on lavapipe."""

import os
import struct

import clc
import numpy
import pytest

# For these the binding has no values: VkBufferUsageFlagBits, VkMemoryAllocateFlagBits.
SHADER_DEVICE_ADDRESS = 0x20000
ALLOCATE_DEVICE_ADDRESS = 2

SAXPY = """
kernel void saxpy(float a, global const float *x, global float *y)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
"""


@pytest.mark.skipif("OCL_ICD_VENDORS" not in os.environ, reason="no OpenCL driver")
def test_pyopencl_runs_it():
    import pyopencl as cl

    (platform,) = cl.get_platforms()
    context = cl.Context(platform.get_devices())
    queue = cl.CommandQueue(context)
    program = cl.Program(context, clc.compile(SAXPY).spirv).build()
    x = numpy.arange(1024, dtype=numpy.float32)
    y = numpy.ones_like(x)
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=array) for array in (x, y)]
    program.saxpy(queue, x.shape, None, numpy.float32(2.5), *buffers)
    result = numpy.empty_like(y)
    cl.enqueue_copy(queue, result, buffers[1])
    assert (result == 2.5 * x + 1).all()


@pytest.mark.skipif("VK_DRIVER_FILES" not in os.environ, reason="no Vulkan driver")
def test_vulkan_runs_it():
    import vulkan as vk

    module = clc.compile(SAXPY, target_env="vulkan1.3")
    (kernel,) = module.reflection["kernels"]
    n, local = 1024, 64

    application = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 3, 0))
    instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=application), None)
    physical = vk.vkEnumeratePhysicalDevices(instance)[0]
    queues = vk.VkDeviceQueueCreateInfo(queueFamilyIndex=0, pQueuePriorities=[1.0])
    more = vk.VkPhysicalDeviceVulkan13Features(maintenance4=True)
    features12 = vk.VkPhysicalDeviceVulkan12Features(
        pNext=more,
        bufferDeviceAddress=True,
        vulkanMemoryModel=True,
        vulkanMemoryModelDeviceScope=True,
    )
    features = vk.VkPhysicalDeviceFeatures2(
        pNext=features12, features=vk.VkPhysicalDeviceFeatures(shaderInt64=True)
    )
    device = vk.vkCreateDevice(
        physical,
        vk.VkDeviceCreateInfo(pNext=features, pQueueCreateInfos=[queues]),
        None,
    )
    queue = vk.vkGetDeviceQueue(device, 0, 0)

    def buffer(contents):
        usage = SHADER_DEVICE_ADDRESS | vk.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
        made = vk.vkCreateBuffer(
            device, vk.VkBufferCreateInfo(size=len(contents), usage=usage), None
        )
        needs = vk.vkGetBufferMemoryRequirements(device, made)
        visible = vk.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
        types = vk.vkGetPhysicalDeviceMemoryProperties(physical).memoryTypes
        index = next(
            i
            for i, kind in enumerate(types)
            if needs.memoryTypeBits >> i & 1 and kind.propertyFlags & visible == visible
        )
        flags = vk.VkMemoryAllocateFlagsInfo(flags=ALLOCATE_DEVICE_ADDRESS)
        memory = vk.vkAllocateMemory(
            device,
            vk.VkMemoryAllocateInfo(pNext=flags, allocationSize=needs.size, memoryTypeIndex=index),
            None,
        )
        vk.vkBindBufferMemory(device, made, memory, 0)
        mapped = vk.vkMapMemory(device, memory, 0, len(contents), 0)
        mapped[: len(contents)] = contents
        # The binding's own function returns its argument.
        info = vk.ffi.addressof(vk.VkBufferDeviceAddressInfo(buffer=made))
        address = vk.lib.vkGetBufferDeviceAddress(device, info)
        return address, mapped

    x = numpy.arange(n, dtype=numpy.float32)
    y = numpy.ones_like(x)
    (at_x, _), (at_y, mapped_y) = buffer(x.tobytes()), buffer(y.tobytes())

    block = bytearray(kernel["block_size"])
    values = [struct.pack("<f", 2.5), struct.pack("<Q", at_x), struct.pack("<Q", at_y)]
    for argument, value in zip(kernel["arguments"], values):
        block[argument["offset"] : argument["offset"] + len(value)] = value

    shader = vk.vkCreateShaderModule(
        device,
        vk.VkShaderModuleCreateInfo(codeSize=len(module.spirv), pCode=module.spirv),
        None,
    )
    pushed = vk.VkPushConstantRange(stageFlags=vk.VK_SHADER_STAGE_COMPUTE_BIT, offset=0, size=len(block))
    layout = vk.vkCreatePipelineLayout(
        device, vk.VkPipelineLayoutCreateInfo(pPushConstantRanges=[pushed]), None
    )
    ids = kernel["work_group_size"]["constants"]
    entries = [
        vk.VkSpecializationMapEntry(constantID=id, offset=4 * i, size=4) for i, id in enumerate(ids)
    ]
    sizes = vk.ffi.new("uint32_t[3]", [local, 1, 1])
    special = vk.VkSpecializationInfo(pMapEntries=entries, dataSize=12, pData=sizes)
    stage = vk.VkPipelineShaderStageCreateInfo(
        stage=vk.VK_SHADER_STAGE_COMPUTE_BIT,
        module=shader,
        pName=kernel["name"],
        pSpecializationInfo=special,
    )
    pipelines = vk.vkCreateComputePipelines(
        device, None, 1, [vk.VkComputePipelineCreateInfo(stage=stage, layout=layout)], None
    )
    pipeline = pipelines[0]

    pool = vk.vkCreateCommandPool(device, vk.VkCommandPoolCreateInfo(queueFamilyIndex=0), None)
    (commands,) = vk.vkAllocateCommandBuffers(
        device,
        vk.VkCommandBufferAllocateInfo(
            commandPool=pool, level=vk.VK_COMMAND_BUFFER_LEVEL_PRIMARY, commandBufferCount=1
        ),
    )
    vk.vkBeginCommandBuffer(commands, vk.VkCommandBufferBeginInfo())
    vk.vkCmdBindPipeline(commands, vk.VK_PIPELINE_BIND_POINT_COMPUTE, pipeline)
    data = vk.ffi.from_buffer(block)
    vk.vkCmdPushConstants(commands, layout, vk.VK_SHADER_STAGE_COMPUTE_BIT, 0, len(block), data)
    vk.vkCmdDispatch(commands, n // local, 1, 1)
    vk.vkEndCommandBuffer(commands)
    vk.vkQueueSubmit(queue, 1, [vk.VkSubmitInfo(pCommandBuffers=[commands])], None)
    vk.vkQueueWaitIdle(queue)
    result = numpy.frombuffer(bytes(mapped_y[: y.nbytes]), dtype=numpy.float32)
    assert (result == 2.5 * x + 1).all()
