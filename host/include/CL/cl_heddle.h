// SPDX-License-Identifier: Apache-2.0
// Queries that Heddle has beyond OpenCL 3.0: the shape of a device and the performance counters of a dispatch. They are
// for tools and benchmarks; a plain OpenCL program needs none of them. They are values for the ordinary clGet…Info
// calls, so a program links nothing but the ICD loader. The values are not registered with Khronos and lie outside the
// ranges that Khronos has given out: use them only with a platform whose CL_PLATFORM_VENDOR is "Heddle".
#ifndef HEDDLE_CL_HEDDLE_H
#define HEDDLE_CL_HEDDLE_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

#ifdef __cplusplus
extern "C" {
#endif

// CL_DEVICE_VENDOR_ID of every Heddle device. It is above 0xFFFF, as OpenCL asks of vendors without a PCI vendor id.
#define CL_VENDOR_ID_HEDDLE 0x4844444C

// clGetDeviceInfo. The type is cl_uint where no other is given. The query opens the device, and returns
// CL_OUT_OF_RESOURCES if that fails.
#define CL_DEVICE_LANES_HEDDLE 0x4DD0            // work-items that run together: the largest sub-group size
#define CL_DEVICE_SLOTS_HEDDLE 0x4DD1            // resident sub-groups of a compute unit
#define CL_DEVICE_UNITS_HEDDLE 0x4DD2            // programmable compute units; 0 where there are only kernel pipelines
#define CL_DEVICE_ISA_HEDDLE 0x4DD3              // char[], zero-terminated: "rv32im_zicsr"
#define CL_DEVICE_CLOCK_KHZ_HEDDLE 0x4DD4        // nominal in simulation; profiling times are cycles at this clock
#define CL_DEVICE_MEMORY_LATENCY_HEDDLE 0x4DD5   // cycles; 0: not known
#define CL_DEVICE_MEMORY_INTERVAL_HEDDLE 0x4DD6  // cycles between lines; 0: not known
#define CL_DEVICE_LINE_BYTES_HEDDLE 0x4DD7       // one memory line
#define CL_DEVICE_BUDGET_CYCLES_HEDDLE 0x4DD8    // cl_ulong: cycles after which a dispatch is stopped; 0: never
#define CL_DEVICE_CACHE_BYTES_HEDDLE 0x4DD9      // the device cache; 0: none
#define CL_DEVICE_MEMORY_CHANNELS_HEDDLE 0x4DDA  // each brings a line every CL_DEVICE_MEMORY_INTERVAL_HEDDLE cycles
// char[], zero-terminated: why CL_DEVICE_AVAILABLE is false, in words; "" where it is true.
#define CL_DEVICE_UNAVAILABLE_HEDDLE 0x4DDB
// char[], zero-terminated: the hashes of the kernels for which the device has pipelines; "" if it has none.
#define CL_DEVICE_PIPELINES_HEDDLE 0x4DDC
// char[], zero-terminated: the version of Heddle that the device was made of, as "0.1"; "" if it does not say.
#define CL_DEVICE_HARDWARE_VERSION_HEDDLE 0x4DDD

// clGetKernelWorkGroupInfo. cl_uint: the kind of compute unit that the kernel runs on; 0 is the programmable one,
// another number is a kernel pipeline of its own.
#define CL_KERNEL_KIND_HEDDLE 0x4DF0

// clGetMemObjectInfo. cl_ulong[], one for each device of the context in the order of CL_CONTEXT_DEVICES: the address of
// the memory object in that device's memory. It never changes. The library brings the contents of an object to a device
// only for objects that are kernel arguments. A kernel that gets an address in another way does not see what a queue of
// another device has written.
#define CL_MEM_DEVICE_ADDRESSES_HEDDLE 0x4DC0

// clGetCommandQueueInfo. char[], zero-terminated: the text of the last dispatch of the queue that faulted, as
// CL_EVENT_FAULT_TEXT_HEDDLE has it; "" when none has. For programs that keep no event: clFinish succeeds although a
// kernel has faulted. After clFinish it is up to date.
#define CL_QUEUE_FAULT_TEXT_HEDDLE 0x4DB0

// clCreateSubBuffer. As CL_BUFFER_CREATE_TYPE_REGION, with any origin: who uses the sub-buffer sees to it that elements
// are aligned. For languages in which a part of a buffer begins at any element.
#define CL_BUFFER_CREATE_TYPE_ANY_ORIGIN_HEDDLE 0x4DC1

// clCreateBufferWithProperties. cl_ulong, a power of two up to 65536: the buffer's address in each device's memory is a
// multiple of it. For languages that map memory of the device where the host has pages.
#define CL_MEM_ALIGNMENT_HEDDLE 0x4DC3

// clCreatePipe, a property with CL_TRUE or CL_FALSE as its value: kernels that read the pipe run beside those that
// write it where that can be, also where one comes behind the other in a queue that is in order. So packets that have
// been read make room for others, and a kernel may write more than the pipe holds. Without it a kernel finds what it
// would find if it ran alone.
#define CL_PIPE_CONCURRENT_HEDDLE 0x4DC2

// clGetDeviceInfo of cl_khr_kernel_clock: which work-items' readings may be compared. Khronos's values, which
// CL/cl_ext.h has from 2024 on.
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
typedef cl_bitfield cl_device_kernel_clock_capabilities_khr;
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

// clGetEventInfo of an event of clEnqueueNDRangeKernel, clEnqueueTask or clEnqueueCommandBufferKHR. For a command
// buffer the values are sums over its kernels. Other commands: CL_INVALID_VALUE. The type is cl_ulong where no other is
// given. The values are final when the event is complete. Before that they are those of the last progress report, zero
// until the dispatch runs, so a second thread can show progress. Thread-safe; the queue needs no profiling.
#define CL_EVENT_CYCLES_HEDDLE 0x4DE0           // device cycles from start to completion
#define CL_EVENT_ISSUES_HEDDLE 0x4DE1           // instructions issued
#define CL_EVENT_ACTIVE_LANES_HEDDLE 0x4DE2     // active lanes, summed over issued instructions
#define CL_EVENT_MEMORY_REQUESTS_HEDDLE 0x4DE3  // requests to external memory
#define CL_EVENT_GROUPS_DONE_HEDDLE 0x4DE4      // work-groups completed
#define CL_EVENT_GROUPS_TOTAL_HEDDLE 0x4DE5     // work-groups of the NDRange, known from the enqueue on
// char[], zero-terminated: the line that the context callback got when the dispatch faulted, or that HEDDLE_LOG put on
// standard error where there is no callback; "" when it did not.
#define CL_EVENT_FAULT_TEXT_HEDDLE 0x4DE6
// cl_ulong: where it faulted, as an address in the program's ELF file (CL_PROGRAM_BINARIES): feed it to addr2line.
#define CL_EVENT_FAULT_PC_HEDDLE 0x4DE7
// Cycles in which no instruction was issued, because of memory or of conflicts. The remaining cycles without an issue
// were idle: pipeline, divider, barriers, start and end. 0 on the golden model, which counts issues only.
#define CL_EVENT_MEMORY_WAIT_CYCLES_HEDDLE 0x4DE8
#define CL_EVENT_CONFLICT_CYCLES_HEDDLE 0x4DE9
#define CL_EVENT_CACHE_REQUESTS_HEDDLE 0x4DEA  // of the compute units to the device cache; 0 without one
#define CL_EVENT_CACHE_MISSES_HEDDLE 0x4DEB    // of these, misses
// Lanes of a unit, and the number of units, of the kind of compute unit that the kernel runs on. 0 without a kernel.
#define CL_EVENT_LANES_HEDDLE 0x4DEC
#define CL_EVENT_UNITS_HEDDLE 0x4DED

// Execution status of an event whose dispatch faulted. Negative, as OpenCL asks for. The context stays usable.
#define CL_EVENT_STATUS_FAULT_HEDDLE CL_OUT_OF_RESOURCES

#ifdef __cplusplus
}
#endif

#endif
