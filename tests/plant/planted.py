# SPDX-License-Identifier: Apache-2.0
"""The mistakes that plant.py plants: each one textual change in one file, and the suite of `make test` that must find it. Kinds that
tired people make: an argument not passed on, a bound off by one, the wrong one of two values, a case or a rounding left out, an error
lost. A row is (file, text that stands there once, what replaces it, suite as tests/run names it, what is wrong then), and of long
scripts part of the name of those tests of which one must find the mistake."""
from collections import namedtuple

Mistake = namedtuple("Mistake", "file text replacement suite what test", defaults=[None])

WAIT_LISTS, REFERENCES, QUERIES = "opencl/wait_lists model", "opencl/references model", "opencl/queries model"
CALLBACKS, DEVICE_QUERIES, API = "opencl/event_callbacks model", "host_device_queries", "host_api"
TRANSFERS = "opencl/transfers model device_transfers=1"
IMAGES, IMAGE_ERRORS, SVM = "opencl/images model", "opencl/image_errors model", "opencl/svm model"
COMMANDS, RANDOM_COMMANDS = "dispatch_commands model", "dispatch_random_commands model"
ENQUEUE, SYCL_ITEMS, SYCL_GROUPS = "opencl/device_enqueue model", "sycl_items sycl_device=model", "sycl_groups sycl_device=model"
ISOLATION, SHIFTS, CHANNELS = "opencl/isolation model", "opencl/shift_registers model", "opencl/channels model"
CHAINS, CHIP_CHANNELS = "pipeline/chains", "pipeline/channels"
PROGRESS = "opencl/work_item_progress model lanes=8"
LAUNCH, OPERATORS = "rtl_sub_groups-4-4", "rtl_operators"
ONE_BY_ONE = "rtl_one_by_one-1-0"
PRODUCTS, FUSED = "rtl_float_product-2", "rtl_float_product-3"

SUB_DEVICES, UNITS = "opencl/sub_devices model lanes=4 units=3", "dispatch_units model units=8"

HARDWARE, REPORT, FIT = "hls_hardware", "hls_hardware_report", "hls_hardware_fit"
PIPELINES, RANDOM_PIPELINES, LOCAL_ARRAYS = "pipeline/directed.py", "pipeline/random_kernels.py", "pipeline/local_arrays.py"
ROUNDS, BRANCHES, INTERLEAVED = "pipeline/rounds.py", "pipeline/branches.py", "pipeline/interleaved.py"
HAZARDS = "pipeline/hazards.py"
MODULES = "pipeline/modules.py"
WINDOWS, PIPELINE_PROGRAMS = "pipeline/windows.py", "pipeline/programs"


def _ignored(call, text, replacement):
    return Mistake(f"host/cl/calls/{call}.c", text, replacement, WAIT_LISTS, f"{call} ignores its wait list")


PLANTED = {
    # ---- host/cl: wait lists
    "read_rect_ignores_wait_list": _ignored(
        "clEnqueueReadBufferRect", "blocking_read,\n                         num_events_in_wait_list, event_wait_list, event);",
        "blocking_read, 0, NULL, event);"),
    "write_ignores_wait_list": _ignored(
        "clEnqueueWriteBuffer", "blocking_write,\n                         num_events_in_wait_list, event_wait_list, event);",
        "blocking_write, 0, NULL, event);"),
    "copy_ignores_wait_list": _ignored(
        "clEnqueueCopyBuffer", "box, false, num_events_in_wait_list,\n                         event_wait_list, event);",
        "box, false, 0, NULL, event);"),
    "copy_rect_ignores_wait_list": _ignored(
        "clEnqueueCopyBufferRect", "box, false, num_events_in_wait_list,\n                         event_wait_list, event);",
        "box, false, 0, NULL, event);"),
    "unmap_ignores_wait_list": _ignored(
        "clEnqueueUnmapMemObject", "box, false, num_events_in_wait_list,\n                         event_wait_list, event);",
        "box, false, 0, NULL, event);"),
    "task_ignores_wait_list": _ignored(
        "clEnqueueTask", "&one, &one, num_events_in_wait_list,\n                               event_wait_list, event);",
        "&one, &one, num_events_in_wait_list ? 0 : 0, event_wait_list ? NULL : NULL, event);"),
    "migrate_ignores_wait_list": _ignored(
        "clEnqueueMigrateMemObjects", "CL_COMMAND_MIGRATE_MEM_OBJECTS,\n"
        "                                                      num_events_in_wait_list, event_wait_list);",
        "CL_COMMAND_MIGRATE_MEM_OBJECTS, 0, NULL);"),
    "kernels_ignore_wait_lists": Mistake(
        "host/cl/dispatch_command.c", "create(queue, type, kernel, index, &range, num_waits, waits);",
        "create(queue, type, kernel, index, &range, 0, NULL);", WAIT_LISTS, "clEnqueueNDRangeKernel ignores its wait list"),
    "only_the_last_failed_event_counts": Mistake(
        "host/cl/schedule.c", "fails = fails || command->waits[i]->status < 0;", "fails = command->waits[i]->status < 0;", WAIT_LISTS,
        "a command runs when an event of its list failed, but for the last"),
    "barriers_let_others_pass": Mistake(
        "host/cl/schedule.c", "return command->barrier || heddle_is_in_order(command->event->queue);", "return heddle_is_in_order(command->event->queue);", WAIT_LISTS,
        "a barrier of an out-of-order queue holds nothing back"),
    # ---- host/cl: events, references
    "callbacks_get_the_current_status": Mistake(
        "host/cl/event.c", "status < 0 ? status : callbacks->type", "status", CALLBACKS,
        "a callback for CL_RUNNING hears CL_COMPLETE"),
    "late_callbacks_get_no_error": Mistake(
        "host/cl/calls/clSetEventCallback.c", "status < 0 ? status : command_exec_callback_type", "command_exec_callback_type", CALLBACKS,
        "a callback that is registered when the command has failed hears no error"),
    "waits_are_not_given_back": Mistake(
        "host/cl/queue.c", "  for (cl_uint i = 0; i < command->num_waits; i++)\n    heddle_event_release", "  for (cl_uint i = 1; i < command->num_waits; i++)\n    heddle_event_release",
        REFERENCES, "the first event of a wait list keeps a reference"),
    "memory_of_a_fill_is_not_given_back": Mistake(
        "host/cl/transfer.c", "  transfer->command.drop = drop;\n  transfer->box = box;\n  if (!keep(queue->context, to, &box, &transfer->to, &transfer->to_kept)) {",
        "  transfer->box = box;\n  if (!keep(queue->context, to, &box, &transfer->to, &transfer->to_kept)) {",
        REFERENCES, "a fill keeps its buffer"),
    "copies_wait_for_no_kernel": Mistake(
        "host/cl/transfer.c", "return heddle_device_submit_copy(device->root->driver, &copy, waits, number);",
        "return heddle_device_submit_copy(device->root->driver, &copy, NULL, number);", TRANSFERS, "the device copies what the kernel before has not left yet"),
    "what_was_held_back_is_not_moved": Mistake(
        "host/cl/transfer.c", "  if (heddle_is_held_back(command, &record))\n    return run(command);\n", "  if (heddle_is_held_back(command, &record))\n    return CL_COMPLETE;\n",
        TRANSFERS, "behind a kernel that faults bytes are not moved"),
    "the_host_moves_all_bytes": Mistake(
        "host/cl/transfer.c", "  if (device_is_faster(transfer, queue->device)) {", "  if (device_is_faster(transfer, queue->device) && blocking) {", TRANSFERS, "the device moves nothing by itself"),
    "kernels_keep_their_program": Mistake(
        "host/cl/kernel.c", "  heddle_program_release(kernel->program);\n", "", REFERENCES, "a kernel never gives its program back"),
    "migration_takes_two_references": Mistake(
        "host/cl/calls/clEnqueueMigrateMemObjects.c", "    heddle_object_retain(mem_objects[migration->num_memories]);\n",
        "    heddle_object_retain(mem_objects[migration->num_memories]);\n    heddle_object_retain(mem_objects[migration->num_memories]);\n",
        REFERENCES, "a migration retains its buffers twice"),
    # ---- host/cl: queries
    "event_type_of_another_command": Mistake(
        "host/cl/calls/clGetEventInfo.c", "heddle_answer_uint(&answer, event->type)", "heddle_answer_uint(&answer, CL_COMMAND_MARKER)", QUERIES,
        "CL_EVENT_COMMAND_TYPE is always a marker"),
    "event_queue_is_its_context": Mistake(
        "host/cl/calls/clGetEventInfo.c", "heddle_answer_pointer(&answer, event->queue)", "heddle_answer_pointer(&answer, event->context)", QUERIES,
        "CL_EVENT_COMMAND_QUEUE is the context"),
    "program_context_is_the_program": Mistake(
        "host/cl/calls/clGetProgramInfo.c", "heddle_answer_pointer(&answer, program->context)", "heddle_answer_pointer(&answer, program)", QUERIES,
        "CL_PROGRAM_CONTEXT is the program"),
    "sub_buffer_of_itself": Mistake(
        "host/cl/calls/clGetMemObjectInfo.c", "heddle_answer_pointer(&answer, parent)", "heddle_answer_pointer(&answer, memobj)", QUERIES,
        "CL_MEM_ASSOCIATED_MEMOBJECT is the object itself"),
    "local_arguments_do_not_count": Mistake(
        "host/cl/calls/clGetKernelWorkGroupInfo.c", "heddle_kernel_local_bytes(kernel, on_device)", "on_device->local_bytes", QUERIES,
        "CL_KERNEL_LOCAL_MEM_SIZE leaves local arguments out"),
    "sub_group_size_is_the_device's": Mistake(
        "host/cl/calls/clGetKernelWorkGroupInfo.c", "heddle_answer_size(&answer, heddle_kernel_sub_group_size(on_device, capabilities))",
        "heddle_answer_size(&answer, capabilities->lanes)", QUERIES, "the preferred multiple of a kernel of small sub-groups is the device's"),
    "cache_line_of_another_register": Mistake(
        "host/cl/calls/clGetDeviceInfo.c", "heddle_answer_uint(answer, capabilities->line_bytes)", "heddle_answer_uint(answer, capabilities->memory_channels)",
        DEVICE_QUERIES, "CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE is another figure"),
    "multiple_of_slots": Mistake(
        "host/cl/calls/clGetDeviceInfo.c", "heddle_answer_size(answer, capabilities->lanes)", "heddle_answer_size(answer, capabilities->slots)",
        DEVICE_QUERIES, "CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE is the number of slots"),
    "timer_resolution_rounds_down_to_khz": Mistake(
        "host/cl/calls/clGetDeviceInfo.c", "heddle_answer_size(answer, (1000000 + capabilities->clock_khz - 1) / capabilities->clock_khz)",
        "heddle_answer_size(answer, (1000 + capabilities->clock_khz - 1) / capabilities->clock_khz)", DEVICE_QUERIES,
        "CL_DEVICE_PROFILING_TIMER_RESOLUTION is in the wrong unit"),
    "kernel_names_parted_by_commas": Mistake(
        "host/cl/calls/clGetProgramInfo.c", "*end++ = ';';", "*end++ = ',';", QUERIES,
        "CL_PROGRAM_KERNEL_NAMES has commas"),
    "answers_may_be_a_byte_too_large": Mistake(
        "host/cl/info.c", "answer->value && answer->size < size", "answer->value && answer->size + 1 < size", DEVICE_QUERIES,
        "a value is written that has a byte more than there is room"),
    "offset_in_another_buffer": Mistake(
        "host/cl/calls/clGetMemObjectInfo.c", "? 0 : memobj->origin - parent->origin)", "? 0 : memobj->size)", QUERIES,
        "CL_MEM_OFFSET is the size"),
    # ---- host/cl: what commands do
    "sub_buffers_begin_at_their_buffer": Mistake(
        "host/cl/memory.c", "[heddle_context_root(memory->context, device)] + (uint32_t)memory->origin;",
        "[heddle_context_root(memory->context, device)];", "opencl/memory model", "kernels get a sub-buffer's buffer"),
    "map_of_a_sub_buffer_at_its_buffer": Mistake(
        "host/cl/memory.c", "  mapping->offset += memory->origin;\n", "", API,
        "a mapped sub-buffer is the beginning of its buffer"),
    "neighbours_count_as_mapped": Mistake(
        "host/cl/rect.c", "a.start < end_b && b.start < end_a", "a.start <= end_b && b.start <= end_a", API,
        "what lies next to a range mapped for writing cannot be mapped for writing"),
    # ---- host/cl: images and shared memory
    "slices_of_half_rows_are_taken": Mistake(
        "host/cl/image.c", "image->slice_pitch >= slice && image->slice_pitch % image->row_pitch == 0", "image->slice_pitch >= slice", IMAGE_ERRORS,
        "a slice pitch need not be a multiple of the row pitch"),
    "regions_of_images_wrap": Mistake(
        "host/cl/image.c", "origin < size && region <= size - origin", "origin < size && origin + region <= size", IMAGE_ERRORS,
        "origin + region may pass the end of numbers"),
    "layers_lie_one_row_apart_on_the_host": Mistake(
        "host/cl/image.c", "end->row_pitch = is_1d_array ? slice_pitch : row_pitch;", "end->row_pitch = row_pitch;", IMAGES,
        "the host's slice pitch does not count for 1D arrays"),
    "copied_images_keep_no_pitches": Mistake(
        "host/cl/image.c", "host_ptr + slice * given->slice_pitch + y * given->row_pitch", "host_ptr + slice * given->slice_pitch + y * image->row_pitch",
        IMAGES, "pitches of host memory do not count for CL_MEM_COPY_HOST_PTR"),
    "kernels_see_no_pitches": Mistake(
        "host/cl/image.c", "[HEDDLE_IMAGE_ROW_PITCH] = image->row_pitch,", "[HEDDLE_IMAGE_ROW_PITCH] = image->width * image->pixel_bytes,",
        "opencl/image_kernels model", "kernels see rows without the gaps between them"),
    "halves_round_ties_up": Mistake(
        "contract/half.c", "nearbyint(ldexp(fabs(number), FRACTION_BITS - exponent))", "floor(ldexp(fabs(number), FRACTION_BITS - exponent) + 0.5)", IMAGES, "a colour between two halves becomes the larger one"),
    "samplers_are_never_linear": Mistake(
        "host/cl/sampler.c", "sampler->filter == CL_FILTER_LINEAR ? HEDDLE_SAMPLER_LINEAR", "false ? HEDDLE_SAMPLER_LINEAR", "opencl/image_kernels model",
        "kernels get samplers that do not filter"),
    "read_only_images_are_written": Mistake(
        "host/cl/image.c", "writes && (memory->flags & CL_MEM_READ_ONLY) != 0", "writes && (memory->flags & CL_MEM_HOST_READ_ONLY) != 0", "opencl/image_kernels model",
        "an image that is read only may be an argument that is written"),
    "pointers_lead_to_the_beginning": Mistake(
        "host/cl/dispatch_arguments.c", "heddle_put32(at, address + (uint32_t)this->kernel->arguments[index].offset);", "heddle_put32(at, address);", SVM,
        "a pointer into shared memory is one to its beginning"),
    "invalidated_mappings_do_not_come_back": Mistake(
        "host/cl/calls/clEnqueueSVMUnmap.c", "(CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)", "CL_MAP_WRITE_INVALIDATE_REGION", SVM,
        "what was mapped for writing does not go to the device"),
    "kernels_miss_what_the_host_has_changed": Mistake(
        "host/cl/shared.c", "result = push_changes(memory, device->root->driver);", "result = storage->valid == 0 ? push_changes(memory, device->root->driver) : 0;", "opencl/usm model",
        "a second kernel sees shared memory as the first one left it"),
    "addresses_differ_between_devices": Mistake(
        "host/cl/shared.c", "while (taken < context->num_roots) {", "while (taken < 1) {", SVM, "shared memory is allocated on the first device alone"),
    "lists_of_pointers_are_forgotten": Mistake(
        "host/cl/dispatch_arguments.c", "k < this->kernel->reached[i].count", "k + 1 < this->kernel->reached[i].count", SVM,
        "the last pointer of clSetKernelExecInfo does not count"),
    "required_sizes_beyond_work_dim_forgotten": Mistake(
        "host/cl/ndrange.c", "for (cl_uint i = work_dim; i < 3; i++)\n    if (kernel->reqd_work_group_size[i] > 1)",
        "for (cl_uint i = work_dim; i < 2; i++)\n    if (kernel->reqd_work_group_size[i] > 1)", "opencl/ndrange model lanes=8",
        "a required size in the third dimension is forgotten by a launch with local size NULL"),
    "required_sizes_left_out_may_differ": Mistake(
        "host/cl/ndrange.c", "kernel->reqd_work_group_size[i] != (i < work_dim ? local[i] : 1)", "i < work_dim && kernel->reqd_work_group_size[i] != local[i]",
        "opencl/ndrange model lanes=8", "a required size in a dimension that a launch leaves out is forgotten"),
    "cache_key_without_options": Mistake(
        "host/cl/cache_key.c", "  add_text(&hash, job->options);\n", "", "opencl/cache model", "programs of other options are taken from the cache"),
    "last_group_of_a_fault_has_full_size": Mistake(
        "host/device/fault.c", "left < dispatch->local_size[i] ? left : dispatch->local_size[i]", "left > dispatch->local_size[i] ? left : dispatch->local_size[i]", "host_driver",
        "the work-item of a fault in a smaller work-group at the edge is named wrongly"),
    # ---- host/device, contract
    "buffers_keep_what_another_process_left": Mistake(
        "host/device/wipe.c", "  if (!device->link.keeps_memory)", "  if (device->link.keeps_memory || bytes != 0)", "transport/serial",
        "a buffer of a board shows what another process left there"),
    "private_memory_keeps_what_another_process_left": Mistake(
        "host/device/dispatch.c", "if (result == 0 && device->link.keeps_memory)", "if (result == 0 && device->lost)", "transport/serial",
        "private memory of a board shows what another process left there"),
    "freed_blocks_stay_apart": Mistake(
        "host/device/allocator.c", "    if (block->previous && !block->previous->taken)\n      swallow_next(block->previous);\n", "", "host_allocator",
        "memory that was given back does not become one piece"),
    "worst_fit": Mistake(
        "host/device/allocator.c", "(!best || block->bytes < best->bytes)", "(!best || block->bytes > best->bytes)", "host_allocator",
        "the largest free block is cut"),
    "arguments_end_behind_their_block": Mistake(
        "host/device/kernel_notes.c", "argument->offset > block_bytes - argument->size", "argument->offset > block_bytes", "host_kernel_file",
        "an argument may end behind the argument block"),
    "relocations_at_the_end_of_the_image": Mistake(
        "host/device/kernel_file.c", "segment->file_bytes - (address - segment->address) >= 4 ? segment : NULL;", "segment;", "host_kernel_file",
        "a relocation may end behind its segment"),
    "printed_values_are_not_whole_words": Mistake(
        "host/device/printf_layout.c", "((uint32_t)value->bytes * value->count + 3) / 4 * 4", "((uint32_t)value->bytes * value->count) / 4 * 4", "host_printf",
        "values of 1 and 2 bytes take no word in a record"),
    "begun_lines_are_printed_again": Mistake(
        "host/device/printf_lines.c", "      line->text.count = 0;\n", "", "host_printf", "the beginning of a line is printed with each line after it"),
    "subnormal_halves_print_as_zero": Mistake(
        "contract/half.c", "(half & 0x7C00) == 0x7C00 ? (double)value : (double)value * 0x1p112",
        "(half & 0x7C00) == 0x7C00 || (half & 0x7C00) == 0 ? (double)value : (double)value * 0x1p112", "host_printf",
        "printf of a subnormal half prints next to nothing"),
    "device_queue_heeds_the_last_wait": Mistake(
        "contract/enqueued.c", "found = status < COMPLETE ? FAILED : found;", "found = status < COMPLETE ? FAILED : ALL_MET;", "host_device_queue",
        "a command of the device queue runs when an event of its list failed, but for the last"),
    # ---- host/transport
    "payloads_are_not_checked": Mistake(
        "host/transport/frames.c", "good = heddle_get32(frame + FRONT_BYTES + length) == crc_of(frame + 1, frame + FRONT_BYTES, length);",
        "good = frame[FRONT_BYTES] == frame[FRONT_BYTES];", "transport_link-4", "damaged bytes of an answer are taken"),
    "answers_to_other_addresses_fit": Mistake(
        "host/transport/frames.c", "answer->address == request->address && (answer", "(answer", "transport_link-4",
        "an answer with another address is taken for the request's"),
    "sequence_numbers_start_over": Mistake(
        "host/transport/frames.c", "f->sequence = (uint8_t)(f->sequence + w.farthest);", "f->sequence = (uint8_t)(f->sequence + w.farthest + 1);", "transport_link-4",
        "after a transfer a sequence number is left out"),
    "pcie_words_from_their_first_byte": Mistake(
        "host/transport/pcie.c", "(const uint8_t *)&word + first, count)", "(const uint8_t *)&word, count)", "transport/pcie",
        "reads that begin within a word bring other bytes"),
    "pcie_errors_are_lost": Mistake(
        "host/transport/pcie.c", "became == RESULT_DONE ? 0 : became == RESULT_NO_ADDRESS ? -EFAULT : -EIO", "became == RESULT_DONE || became == RESULT_NO_ADDRESS ? 0 : -EIO",
        "transport/pcie", "a transfer to no address succeeds"),
    "usb_sends_each_transfer_from_its_start": Mistake(
        "host/transport/usb.c", "  t->done += (size_t)transfer->actual_length;\n", "  t->done = (size_t)transfer->actual_length;\n", "transport/usb",
        "of what a board takes in pieces the middle is sent again"),
    "usb_forgets_what_came": Mistake(
        "host/transport/usb.c", "good || transfer->status == LIBUSB_TRANSFER_STALL ? (size_t)transfer->actual_length : 0", "(size_t)transfer->actual_length * !good", "transport/usb",
        "what comes is thrown away"),
    # ---- firmware
    "a_command_may_wait_for_itself": Mistake(
        "firmware/main.c", "if ((int32_t)before <= 0)", "if ((int32_t)before < 0)", COMMANDS, "a command that waits for itself is not refused"),
    "ranges_may_end_behind_memory": Mistake(
        "firmware/transfer.h", "address <= end && count <= end - address", "address <= end && count <= end", COMMANDS,
        "a copy or fill that ends behind global memory is carried out"),
    "waits_of_commands_that_did_not_run": Mistake(
        "firmware/main.c", "record_of(waits_for)[HEDDLE_RECORD_STATUS] != HEDDLE_RECORD_COMPLETE", "record_of(waits_for)[HEDDLE_RECORD_STATUS] == HEDDLE_RECORD_FAULTED", RANDOM_COMMANDS,
        "what waits for a command that did not run does run"),
    "last_words_of_a_fill": Mistake(
        "firmware/transfer.c", "end += count & (ROUND - 4);\n  for (; to != end; to += 4)\n    *words_at(to) = word;", "end += count & (ROUND - 8);\n  for (; to != end; to += 4)\n    *words_at(to) = word;", RANDOM_COMMANDS, "the last word of some fills is left out"),
    "rows_are_not_checked": Mistake(
        "firmware/transfer.c", "return is_global(t->from, t->left) && is_global(t->to, t->left) ? TRANSFER_GOES_ON : TRANSFER_OUTSIDE;",
        "return is_global(t->from, t->left) ? TRANSFER_GOES_ON : TRANSFER_OUTSIDE;", COMMANDS,
        "a row of a copy goes to what is no global memory"),
    "shifted_words_take_one_byte_too_many": Mistake(
        "firmware/transfer.c", "const uint32_t first = -to & 3, middle", "const uint32_t first = -from & 3, middle", COMMANDS,
        "words of a copy whose ends lie differently are stored where no word begins"),
    "budget_of_each_child": Mistake(
        "firmware/main.c", "heddle_enqueued_budget(budget, cycles)", "heddle_enqueued_budget(budget, 0)", ENQUEUE,
        "each kernel that a kernel enqueues has the whole budget"),
    # ---- UNIT_MASK: sub-devices
    "kernels_of_a_part_run_everywhere": Mistake(
        "host/cl/dispatch_command.c", "  dispatch->unit_mask = queue->device->unit_mask;\n", "", SUB_DEVICES,
        "kernels of a sub-device run on all units"),
    "the_mask_is_not_written": Mistake(
        "host/device/dispatch.c", "dispatch->unit_mask << HEDDLE_DISPATCH_UNIT_MASK_SHIFT", "(dispatch->unit_mask & 1) << HEDDLE_DISPATCH_UNIT_MASK_SHIFT",
        SUB_DEVICES, "of a mask only the first unit is written"),
    "parts_overlap": Mistake(
        "host/cl/sub_device.c", "    left &= ~made[i]->unit_mask;\n", "", SUB_DEVICES, "all sub-devices have the first units"),
    "parts_of_parts_are_of_the_root": Mistake(
        "host/cl/sub_device.c", "device->parent ? device->unit_mask : (1u", "device->parent && partition->count == 0 ? device->unit_mask : (1u", SUB_DEVICES,
        "a sub-device of a sub-device has units of the root"),
    "a_context_does_not_keep_its_parts": Mistake(
        "host/cl/platform.c", "  if (device->parent)\n    heddle_object_retain(device);\n  else\n", "  if (!device->parent)\n", SUB_DEVICES,
        "a sub-device is gone when the program has released it, though a context has it"),
    "a_part_has_the_roots_units": Mistake(
        "host/cl/sub_device.c", "device->capabilities.units = device->capabilities.kinds[0].units = units;", "device->capabilities.units = units;",
        SUB_DEVICES, "a launch on a sub-device is made for all units"),
    "a_part_has_no_program_of_its_parent": Mistake(
        "host/cl/program.c", "  for (cl_device_id at = device; at; at = at->parent) {", "  for (cl_device_id at = device; at; at = NULL) {", SUB_DEVICES,
        "what was built for a device does not run on its sub-devices"),
    "children_run_everywhere": Mistake(
        "contract/enqueued.c", "          q->units | (load", "          0 * q->units | (load", "host_device_queue", "what kernels enqueue runs on all units"),
    # ---- rights of pages
    "contexts_share_a_domain": Mistake(
        "host/device/rights.c", "&users, users + 1));", "&users, users));", ISOLATION,
        "a kernel reaches memory of another context"),
    "read_only_buffers_can_be_written": Mistake(
        "host/cl/memory.c", "(flags & CL_MEM_READ_ONLY) == 0);", "(flags & CL_MEM_READ_ONLY) == 0 || flags != 0);", ISOLATION, "a kernel writes a buffer of CL_MEM_READ_ONLY"),
    "code_can_be_written": Mistake(
        "host/cl/program.c", "const uint8_t reads = heddle_context_rights(context, place, false);",
        "const uint8_t reads = heddle_context_rights(context, place, true);", ISOLATION, "a kernel writes constants and code"),
    "dispatches_are_not_checked": Mistake(
        "host/device/dispatch.c", "heddle_page_log2(device) != 0 ? dispatch->domain : 0", "0", ISOLATION,
        "every dispatch has all rights"),
    "what_is_freed_stays_open": Mistake(
        "host/device/allocator.c", "    allocator->changes++;\n    block->taken = false;\n", "    block->taken = false;\n", "host_allocator",
        "the table of rights is not written when memory is freed"),
    "pieces_of_all_rights_share_pages": Mistake(
        "host/device/allocator.c", "  if (block->previous && block->previous->rights != rights)\n    first = round_up(first, page);\n", "",
        "host_allocator", "buffers of different rights share a page"),
    "the_model_lets_atomics_through": Mistake(
        "sim/model/atomic.c", "  if (!have_rights(d, g, physical, pc, mask, op->imm != LR))\n    return false;\n", "", ISOLATION,
        "an atomic changes what the dispatch may not write"),
    "the_model_takes_all_units": Mistake(
        "sim/model/walker.c", "    if (d->dispatch.unit_mask >> unit & 1)\n", "    if (d->dispatch.unit_mask != 0)\n", UNITS,
        "the model gives work-groups to every unit"),
    "the_model_runs_a_mask_of_no_unit": Mistake(
        "sim/model/walker.c", "named == 0 ? all : named & all", "(named & all) == 0 ? all : named & all", UNITS,
        "a mask of units that are not there means all units"),
    # ---- hls
    "restrict_is_volatile": Mistake(
        "hls/kernel.c", '{"restrict", HEDDLE_RESTRICT}', '{"restrict", HEDDLE_VOLATILE}', QUERIES, "restrict is told as volatile"),
    "attributes_run_together": Mistake(
        "hls/kernel.c", 'kernel->attributes[0] != 0 ? " " : ""', '""', "hls_kernel_file", "attributes of a kernel are not parted"),
    "arguments_are_not_aligned": Mistake(
        "hls/kernel.c", "argument->offset = round_up(kernel->argument_bytes, argument->alignment);", "argument->offset = round_up(kernel->argument_bytes, 4);", "hls_kernel_file",
        "arguments of 8 bytes and more lie at multiples of 4"),
    "local_variables_overlap": Mistake(
        "hls/local_memory.c", "kernels->items[i].local_bytes > offset)", "kernels->items[i].local_bytes > offset && i == 0)", "hls_layout",
        "a local variable lies where another kernel's is"),
    "printed_vectors_are_too_short": Mistake(
        "hls/printf.c", "((value >> 8 & 0xFF) * (value >> 16) + 3) / 4 * 4", "((value >> 8 & 0xFF) + 3) / 4 * 4", "opencl/printf model",
        "values that are printed lie over each other"),
    "halves_rounded_a_bit_early": Mistake(
        "hls/half.c", "number(w, type, 0x1p-110)", "number(w, type, 0x1p-111)", "hls_half", "a float becomes half the half"),
    "largest_half_is_infinite": Mistake(
        "hls/lib/half_bits.h", "round_up(1, 1, 1, sign != 0, mode) ? 0x7C00 : 0x7BFF", "result > 0x7C00 || round_up(1, 1, 1, sign != 0, mode) ? 0x7C00 : 0x7BFF", "hls_conversions",
        "vstore_half_rtz beyond twice the largest half gives infinity"),
    "half_of_65536": Mistake(
        "hls/lib/half_bits.h", "if (result >= 0x7C00) {", "if (result > 0x7C00) {", "hls_conversions", "vstore_half_rtz of 65536 gives infinity"),
    "rounded_half_sum": Mistake(
        "hls/lib/integer.cl", "return (T)((a | b) - ((a ^ b) >> 1));", "return (T)((a & b) + ((a ^ b) >> 1));", "hls_integers", "rhadd rounds down"),
    "shuffle_of_small_vectors": Mistake(
        "hls/lib/shuffle.cl", "result[i] = x[mask[i] & (from - 1)];", "result[i] = x[mask[i] % 2];", "hls_half",
        "shuffle takes the first two elements only"),
    "async_copies_by_the_enqueued_size": Mistake(
        "hls/lib/shared_copy.h", "return get_local_size(0) * get_local_size(1) * get_local_size(2);",
        "return get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2);", "hls_work_items",
        "in a work-group at the edge asynchronous copies have gaps"),
    "image_index_beyond_the_edge": Mistake(
        "hls/lib/images.cl", "return min((uint)index, size - 1);", "return (uint)index;", "hls_images",
        "coordinates outside of an image lead outside of it"),
    "image_filter_that_does_not_repeat": Mistake(
        "hls/lib/images.cl", "high -= high >= (int)size ? (int)size : 0;", "", "hls_images",
        "a linear filter that repeats takes the last pixel twice at the right edge"),
    "image_least_fraction": Mistake(
        "hls/lib/images.cl", "reciprocals_of_largest(form), -1.0f);", "reciprocals_of_largest(form), -2.0f);", "hls_images",
        "the least value of a signed fraction is below -1"),
    "plain_images_by_the_last": Mistake(
        "hls/plain_images.c", 'all = all ? LLVMBuildAnd(builder, all, one, "") : one;', "all = one;", "hls_images",
        "a kernel with a plain image takes its others for plain, too"),
    "image_border_of_one_channel": Mistake(
        "contract/image_format.c", '{CL_R, ANY, "0OOI", "r", true},', '{CL_R, ANY, "0OOI", "r", false},', "hls_images",
        "the border of an image of one channel is transparent"),
    "spirv_image_integers": Mistake(
        "hls/il_images.c", "sign[strlen(\"_image\")] = 'n';", "sign[strlen(\"_image\")] = 'i';", "opencl/spirv_images model",
        "SPIR-V reads bytes without a sign as if they had one"),
    "loads_move_behind_stores": Mistake(
        "hls/element_order.c", "    case LLVMFNeg:\n", "    case LLVMFNeg:\n    case LLVMLoad:\n", "hls_element_order",
        "code of vectors that is put in order reads what is stored later"),
    # ---- SYCL
    "group_range_of_another_dimension": Mistake(
        "host/sycl/include/sycl/group.hpp", "return detail::device::get_num_groups(D - 1 - dimension)", "return detail::device::get_num_groups(dimension)", SYCL_ITEMS,
        "group::get_group_range(int) counts from the fastest dimension"),
    "group_range_is_the_local_range": Mistake(
        "host/sycl/include/sycl/nd_item.hpp", "HEDDLE_NUMBERS(range<D>, get_num_groups);", "HEDDLE_NUMBERS(range<D>, get_local_size);", SYCL_ITEMS,
        "nd_item::get_group_range is the local range"),
    "nd_range_without_its_offset": Mistake(
        "host/sycl/include/sycl/nd_item.hpp", "nd_range<D>(get_global_range(), get_local_range(), get_offset())", "nd_range<D>(get_global_range(), get_local_range())", SYCL_ITEMS,
        "nd_item::get_nd_range has no offset"),
    "fences_are_barriers": Mistake(
        "host/sycl/include/sycl/nd_item.hpp", "detail::device::mem_fence(3)", "detail::device::barrier(3)", SYCL_ITEMS, "mem_fence waits for the work-group"),
    "linear_ids_of_columns": Mistake(
        "host/sycl/include/sycl/group.hpp", "result = result * size[i] + at[i];", "result = result * size[i - 1] + at[i];", SYCL_ITEMS,
        "linear ids are counted with the wrong dimension's size"),
    "barriers_of_the_sub_group": Mistake(
        "host/sycl/include/sycl/nd_item.hpp", "HEDDLE_ON_DEVICE(detail::device::barrier(3));", "HEDDLE_ON_DEVICE(detail::device::sub_group_barrier(3));", SYCL_ITEMS,
        "nd_item::barrier waits for the sub-group alone"),
    "shifts_to_the_other_side": Mistake(
        "host/sycl/include/sycl/group_algorithms.hpp", "return g.shuffle_down(x, delta);", "return g.shuffle_up(x, delta);", SYCL_GROUPS, "shift_group_left shifts right"),
    "joint_votes_by_one": Mistake(
        "host/sycl/include/sycl/group_algorithms.hpp", "any = any || predicate(*p);", "any = predicate(*p);", SYCL_GROUPS,
        "joint_any_of heeds the last element of each work-item alone"),
    # ---- rtl/pipeline
    "work_groups_begin_while_tokens_end": Mistake(
        "rtl/pipeline/sub_groups.v", "!filling && !done && some_group_slot;", "!filling && some_group_slot;", LAUNCH, "a work-group that begins as a token ends is not counted"),
    "used_group_slots_are_lost": Mistake(
        "rtl/pipeline/sub_groups.v", "assign use_it = hand_over && !fresh_fits;", "assign use_it = hand_over;", LAUNCH,
        "a group slot that comes back as a fresh one is given out is lost"),
    "z_counts_rows": Mistake(
        "rtl/pipeline/sub_groups.v", "if (end_x && end_y) z <= z + 10'd1;", "if (end_y) z <= z + 10'd1;", LAUNCH,
        "the local id in z counts within a row"),
    "a_sub_group_too_many": Mistake(
        "rtl/pipeline/sub_groups.v", "last_sub_group <= (items - 11'd1) >>", "last_sub_group <= items >>", LAUNCH,
        "a work-group whose last sub-group is whole has one too many"),
    "group_slots_too_small": Mistake(
        "rtl/pipeline/sub_groups.v", "if (size_of_group_slot < sub_groups_i)", "if (size_of_group_slot + 1 < sub_groups_i)", LAUNCH,
        "a group slot lacks a slot"),
    "local_memory_begins_at_its_end": Mistake(
        "rtl/pipeline/sub_groups.v", "local_end[LOCAL_LOG2-1:0] - local_bytes_i[LOCAL_LOG2-1:0]", "local_end[LOCAL_LOG2-1:0]", LAUNCH,
        "a work-group has the next one's local memory"),
    "division_leaves_the_divisor": Mistake(
        "rtl/pipeline/divide.v", "wire fits = !less[WIDTH];", "wire fits = !less[WIDTH] && less != 0;", OPERATORS,
        "a rest that equals the divisor is left"),
    "products_lack_a_part": Mistake(
        "rtl/pipeline/multiply.v", "{left + right, 18'd0}", "{left, 18'd0}", OPERATORS, "a product lacks what its upper half brings"),
    "long_delays_too_long": Mistake(
        "rtl/pipeline/value_delay.v", ".CYCLES(CYCLES - 16)", ".CYCLES(CYCLES - 15)", OPERATORS, "a delay of more than 16 cycles takes one more"),
    "sums_round_halves_up": Mistake(
        "rtl/common/float_add.v", "s5_guard && (s5_low || s5_mantissa[0])", "s5_guard", OPERATORS, "a sum half-way is rounded up, not to even"),
    "products_that_are_subnormal_lose_what_is_below": Mistake(
        "rtl/pipeline/float_multiply.v", "if (chosen[3]) s5_any[1:0]", "if (chosen[3] || chosen[1]) s5_any[1:0]", PRODUCTS,
        "a subnormal product a little more than half-way is rounded to even"),
    "negative_sums_are_one_too_small": Mistake(
        "rtl/pipeline/float_fused.v", "(s6_negative && !guard && !any_low) || ", "", FUSED, "a product that takes all but a little away leaves one too little"),
    "far_addends_are_forgotten": Mistake(
        "rtl/pipeline/float_fused.v", "|| s3_lost_1 || s3_far;", "|| s3_lost_1;", FUSED, "a product half-way is rounded to even, whatever is added"),
    "tokens_come_closer_than_lanes_take_turns": Mistake(
        "rtl/pipeline/spacer.v", "left == ZERO) ? LAST :", "left == ZERO) ? ZERO :", PIPELINES, "an operator that lanes share gets the next token's before it is done",
        "collectives_of_halves"),
    "held_operands_are_handed_on": Mistake(
        "rtl/pipeline/float_in_turn.v", ": ALIKE[1] ? b : b >> 32;", ": ALIKE[1] ? b >> 32 << 32 : b >> 32;", OPERATORS,
        "what is the same for all lanes is there for the first alone"),
    "scans_keep_the_nan": Mistake(
        "rtl/pipeline/float_scan.v", "? 32'h7FC00000 : x;", "? x | 32'h00400000 : x;", OPERATORS, "a sum across lanes keeps a NaN's payload"),
    "copies_of_what_is_volatile_do_not_wait": Mistake(
        "hls/pauses.c", "return is_volatile_copy(instruction) || is_fence(instruction);", "return (false && is_volatile_copy(instruction)) || is_fence(instruction);", PROGRESS,
        "a loop that waits by copies of a volatile structure never ends"),
    "loops_with_fences_do_not_wait": Mistake(
        "hls/pauses.c", "return is_volatile_copy(instruction) || is_fence(instruction);", "return is_volatile_copy(instruction) || (false && is_fence(instruction));", PROGRESS,
        "a loop that waits by plain loads and fences never ends"),
    "functions_that_are_called_do_not_wait": Mistake(
        "hls/pauses.c", "graph.nodes[i].loop != FLOW_NONE || is_called(f)", "graph.nodes[i].loop != FLOW_NONE || (false && is_called(f))", PROGRESS,
        "a loop never ends that waits by a function"),
    "compilations_fail_on_a_busy_machine": Mistake(
        "hls/child.c", "watch.waited = waits ? watch.waited + 1 : 0;", "watch.waited += 1 + (waits && false);", "hls_options",
        "a step may take no more time than its processor time, however busy the machine is"),
    "two_ways_to_a_block_have_one_value": Mistake(
        "hls/il_branches.c", "    copy[i] = way[THROUGH];", "    copy[i] = way[FROM];", "hls/spirv_modules.py",
        "an OpPhi of SPIR-V forgets that two ways lead from one block"),
    # ---- hls/pipeline
    "stores_of_lanes_without_work": Mistake(
        "hls/pipeline/accesses.c", "return build_and(&m->builder, m->builder.region->mask, m->condition);",
        "return m->builder.region->mask;", PIPELINES,
        "what stands in a branch is done by lanes that do not come to it", "who_takes_no_branch_stores_nothing"),
    "loops_keep_every_round": Mistake(
        "hls/pipeline/verilog.c", "write_body(w, \"  assign write_%s = {%u{s%u_valid_%u}} & %s;\\n\", name, copies, s->id, stage, mask);",
        "write_body(w, \"  assign write_%s = {%u{s%u_valid_%u}} | {%u{1'b0 & (|%s)}};\\n\", name, copies, s->id, stage, copies, mask);", PIPELINES,
        "a lane that has left a loop takes values of later rounds",
        "a_loop_whose_bound_another_carried_value_gives_has_barriers"),
    "stores_of_rounds_before_are_not_looked_at": Mistake(
        "hls/pipeline/dependence.c", "const int64_t offset = (int32_t)(b.offset - a.offset), size", "const int64_t offset = 0, size", ROUNDS,
        "a round loads what an earlier one has still to store",
        "what_was_stored_some_rounds_before_is_loaded"),
    "work_items_of_a_task_come_together": Mistake(
        "rtl/pipeline/one_by_one.v", "(busy && done_i && !last)", "(busy && !last && (done_i || number_o == 1))", ONE_BY_ONE,
        "the third work-item is launched while another is there"),
    "a_task_has_one_row": Mistake(
        "rtl/pipeline/one_by_one.v", "is_last <= end_x && end_y &&", "is_last <= end_x &&", ONE_BY_ONE,
        "a work-group is done after its first row"),
    "kernels_with_atomics_are_tasks": Mistake(
        "hls/pipeline/tasks.c", "LLVMIsAAtomicRMWInst(at) || ", "", ROUNDS,
        "a kernel of many work-items has one lane", "a_kernel_of_several_work_items_has_several_lanes"),
    "halves_may_lie_across_words": Mistake(
        "hls/pipeline/misaligned.c", "is >= wanted ? 0 : is;", "is >= (wanted < 2 ? wanted : 2) ? 0 : is;", PIPELINES,
        "two elements of a vector are loaded as a word that is not aligned", "elements_of_vectors_lie_across_words"),
    "hoisted_over_its_store": Mistake(
        "hls/pipeline/aliases.c", "return offset - other_offset < store->bytes || other_offset - offset < load->bytes;", "return offset == other_offset;", ROUNDS,
        "a load goes in front of a store of some of its bytes", "four_rounds_in_one_with_bytes_of_words"),
    "hoisted_over_any_store": Mistake(
        "hls/pipeline/hoists.c", "if (aliases_meet(a->graph, load, a->held.items[i]))", "if (i > 0 && aliases_meet(a->graph, load, a->held.items[i]))", ROUNDS,
        "a load goes in front of the first of the stores that are held back", "four_rounds_in_one_that_load_what_another_pointer_has_stored"),
    "words_of_a_wide_port": Mistake(
        "hls/pipeline/groups.c", "return (int)(((lane % items) << access->across) + word);", "return (int)(lane + word * items);", PIPELINES,
        "words of two work-items come from the wrong lanes of the port"),
    "a_restrict_pointer_is_not_met_by_itself": Mistake(
        "hls/pipeline/aliases.c", "q != 0 && p != q &&", "q != 0 &&", ROUNDS,
        "a round loads what an earlier one has still to store through the same pointer", "what_was_stored_some_rounds_before_is_loaded"),
    "ivdep_of_columns_is_taken_for_one_of_rows": Mistake(
        "hls/pipeline/coalesce.c", "each_instruction(nest, unmark_ivdep);", "(void)unmark_ivdep;", ROUNDS,
        "loops become one, and what is said of rounds of the inner one is taken to hold for all",
        "ivdep_of_columns_is_not_of_rows"),
    "ivdep_of_rows_is_taken_for_one_of_columns": Mistake(
        "hls/pipeline/ivdep.c", "&groups, MARKS[between]);", "&groups, MARKS[0]);", ROUNDS,
        "what is said of rounds of a loop is taken to hold for those of the loop in it",
        "ivdep_of_rows_is_not_of_columns"),
    "ivdep_of_an_array_is_taken_for_one_of_all": Mistake(
        "hls/front_end.c", "return behind && ends(behind, line + length);", "return behind != NULL;", ROUNDS,
        "what is said of one array is taken to hold for all memory", "ivdep_of_one_array_is_not_of_another"),
    "branches_that_fall_through_exclude_each_other": Mistake(
        "hls/pipeline/exclusive_items.c", "!s->reaches[x->block][y->block] && !s->reaches[y->block][x->block];", "!s->reaches[y->block][x->block];", BRANCHES,
        "accesses of which one comes behind the other become one"),
    "what_is_joined_is_done_for_the_first_branch_alone": Mistake(
        "hls/pipeline/exclusive.c", "condition = straight_or(s, condition, straight_condition(", "condition = condition ? condition : straight_or(s, NULL, straight_condition(", BRANCHES,
        "of accesses that are one, those of the other branches are lost"),
    "loads_of_a_branch_pass_its_stores": Mistake(
        "hls/pipeline/exclusive_items.c", "return !are_plain || LLVMIsAStoreInst(x->instruction) || LLVMIsAStoreInst(y->instruction);",
        "return !are_plain || (LLVMIsAStoreInst(x->instruction) && LLVMIsAStoreInst(y->instruction));", BRANCHES, "a load gives what was there before its branch stored"),
    "choices_of_one_result_are_of_another": Mistake(
        "hls/pipeline/choices.c", "LLVMSetOperand(b, 0, second);", "LLVMSetOperand(a, 0, second);", BRANCHES,
        "a sum of which the other operand is the same has one operand twice"),
    "a_remainder_is_a_division": Mistake(
        "hls/pipeline/exclusive_items.c", "LLVMGetOperand(a, 2) == LLVMGetOperand(b, 2)", "LLVMGetOperand(a, 2) != NULL", BRANCHES,
        "a division and a remainder of two branches become one", "a_division_and_a_remainder_stay_two"),
    "kernels_with_channels_wait_for_nobody": Mistake(
        "host/cl/channels.c", "  return !is_there;\n", "  return is_there || !is_there;\n", CHANNELS, "a reader that is enqueued first finds an empty channel",
        "kernels_run_whichever_is_enqueued_first"),
    "a_reader_of_channels_goes_before_its_writer": Mistake(
        "host/cl/channels.c", "(heddle_channel_feeds(other->kernel, one->kernel) ||", "(heddle_channel_feeds(one->kernel, other->kernel) ||", CHANNELS,
        "of kernels that begin together the reader is given to the device first", "kernels_run_whichever_is_enqueued_first"),
    "a_group_begins_before_what_it_waits_for": Mistake(
        "host/cl/channels.c", "    if (!could_begin(group, group->members[i]->command))\n      return;\n", "    (void)could_begin(group, group->members[i]->command);\n", CHANNELS,
        "a reader begins while its writer waits for an event", "a_reader_waits_for_what_the_writer_waits_for"),
    "elements_of_channels_are_one": Mistake(
        "hls/channels.c", "c->ends[i].offset != end->offset ||", "c->ends[i].offset - end->offset > 1u << 20 ||", CHANNELS, "channels of an array have one pipe",
        "packets_of_any_type_and_channels_in_arrays"),
    "autorun_kernels_are_taken_for_others": Mistake(
        "hls/channels.c", "  kernel_hints_take(module);  // of which autorun is one\n", "", CHANNELS, "nobody enqueues an autorun kernel",
        "what_would_wait_for_ever_does_not_build"),
    "nests_are_chosen_together": Mistake(
        "hls/pipeline/variants.c", "loops > 0 && status == STATUS_OK && tried < MOST_TRIED", "loops > 0 && status == STATUS_OK && tried > MOST_TRIED", ROUNDS,
        "all nests of a kernel have as many loops in one", "nests_of_which_one_is_better_as_one_and_another_is_not"),
    "a_ring_is_an_element_too_short": Mistake(
        "hls/shift_registers.c", "at, LLVMConstInt(word, ring->length - 1, 0)", "at, LLVMConstInt(word, ring->length - 2, 0)", SHIFTS,
        "a word comes out of a ring a move too early"),
    "a_ring_is_not_filled": Mistake(
        "hls/shift_registers.c", "if (ring->length != 0 && (uint32_t)", "if (ring->length == 1 && (uint32_t)", SHIFTS,
        "a shift register that is emptied keeps what is between the elements that are read"),
    "a_move_in_the_wrong_order_is_taken_for_one": Mistake(
        "hls/shift_registers.c", "(moved->apart != 0 && (moved->apart > 0) == (step < 0))", "moved->apart != 0", SHIFTS,
        "a word that a loop passes on through all elements moves by one"),
    "rounds_overtake_each_other": Mistake(
        "hls/pipeline/ends_verilog.c", "return s->region->overlaps && !s->region->any_order && may;", "return s->region->overlaps && may && a->count > 100;", ROUNDS,
        "a round that loads nothing is before those that wait for their answers",
        "rounds_that_load_nothing_keep_their_order"),
    "a_loop_in_a_nest_begins_where_the_row_before_has_ended": Mistake(
        "hls/pipeline/coalesce.c", "for (unsigned around = 0; around < k; around++)\n    store_at_end(nest, first, slot, nest->edges[around]);",
        "for (unsigned around = 1; around < k; around++)\n    store_at_end(nest, first, slot, nest->edges[around]);", ROUNDS,
        "an inner loop's counter and sum begin anew only in the first round of all", "rows_and_columns"),
    "a_nest_shares_what_a_round_computes_anew": Mistake(
        "hls/pipeline/coalesce.c", "    if (is_speculatable(user))\n      return false;\n", "", ROUNDS,
        "a bound that is made of the outer counter moves with the inner one", "columns_whose_end"),
    "a_nest_goes_on_at_the_loop_around": Mistake(
        "hls/pipeline/coalesce.c", "store_at_end(nest, LLVMConstInt(number, k, 0), goes_around, nest->edges[k]);",
        "store_at_end(nest, LLVMConstInt(number, k != 0 ? k - 1 : 0, 0), goes_around, nest->edges[k]);", ROUNDS,
        "what stands in front of an inner loop is done in each of its rounds", "what_comes_before_and_behind"),
    "a_bit_of_a_branch_is_taken_for_its_opposite": Mistake(
        "hls/pipeline/build.c", "both_bits(b, op, x, build_not(b, rest)) :", "both_bits(b, op, x, rest) :", ROUNDS,
        "x and not (x and z) is x and z", "a_loop_is"),
    "what_is_carried_on_may_be_stored_over": Mistake(
        "hls/pipeline/carried_words.c", "        !leaves(l, &next, size_of(l, store), &word, bytes))", "        (next.count > MOST_TERMS && !leaves(l, &next, size_of(l, store), &word, bytes)))", ROUNDS,
        "a word is carried on that another store has changed before it is loaded", "stored_over"),
    "the_first_word_is_that_of_the_second_round": Mistake(
        "hls/pipeline/carried_words.c", "first = with(l, &sum, false);", "first = with(l, &sum, true);", ROUNDS,
        "the first round has the word of the wrong round", "stored"),
    "rounds_that_meet_do_not_wait": Mistake(
        "rtl/pipeline/hazards.v", "claimed_hash[(r*WORDS+i)*HASH_BITS+:HASH_BITS] == hashes[k*HASH_BITS+:HASH_BITS]);", "r == 0 && claimed_hash[(r*WORDS+i)*HASH_BITS+:HASH_BITS] == hashes[k*HASH_BITS+:HASH_BITS]);", HAZARDS,
        "of the rounds that are under way one alone is compared", "a_histogram"),
    "elements_are_read_before_rounds_wait": Mistake(
        "hls/pipeline/hazards.c", "(node->is_claimed || node->is_checked))\n      list_add", "(node->is_claimed && node->is_checked))\n      list_add", ROUNDS,
        "an element is read before it is known whether a round in front sets it", "an_array_of_floats_that_are_added_to"),
    "what_is_stored_behind_is_loaded_in_front": Mistake(
        "hls/pipeline/hazards.c", "earlier->is_claimed = later->is_checked = true;", "earlier->is_claimed = later->is_checked = earlier->op != OP_LOAD;", HAZARDS,
        "a later round stores to what a round has not loaded yet", "that_may_meet"),
    "rounds_meet_only_those_near_them": Mistake(
        "hls/pipeline/interleave.c", "dependence_of_accesses(graph, loop, one, other, DEPENDENCE_ANY_ROUNDS) ||", "dependence_of_accesses(graph, loop, one, other, 64) ||", INTERLEAVED,
        "rounds are interleaved of which one loads what another one stores 190 rounds later", "what_a_round_long_before_stored"),
    "rounds_share_the_array_of_each": Mistake(
        "hls/pipeline/arrays.c", "(graph->interleaves && array->round);", "(graph->interleaves && array->round && array->is_local);", INTERLEAVED,
        "rounds that are under way together set the same array", "an_array_of_each_round"),
    "ivdep_is_of_all_loops_around": Mistake(
        "hls/pipeline/dependence.c", "graph_depth(access->region) - graph_depth(loop);", "graph_depth(loop) - graph_depth(loop);", INTERLEAVED,
        "what an inner loop's #pragma ivdep says is taken for the loop around it", "ivdep_of_a_loop_is_not_of_loops_around_it"),
    "rows_of_one_word_more_are_apart": Mistake(
        "hls/pipeline/dependence.c", "own.step == 0 || !is_at_least(step_of(&own), below)", "own.step == 0 || !is_at_least(step_of(&own), (struct size){0, below.rows})",
        INTERLEAVED, "rounds are interleaved whose rows share a word", "rows_that_begin_a_word_behind_their_end"),
    "what_inner_loops_add_is_not_looked_at": Mistake(
        "hls/pipeline/dependence.c", "const struct size before = {earlier->bytes - parts.low.fixed,", "const struct size before = {earlier->bytes,", INTERLEAVED,
        "rounds are interleaved whose stores in inner loops meet", "rows_that_share_a_word"),
    "a_row_may_have_no_size": Mistake(
        "hls/pipeline/counter_bounds.c", "    if (says(r->enter, true, &claim, MOST_DEPTH))", "    if (says(r->enter, true, &claim, MOST_DEPTH) || r->enter)", INTERLEAVED,
        "rounds are interleaved that store to one place, as their rows have no size", "rows_that_may_have_no_size"),
    "columns_go_beyond_their_row": Mistake(
        "hls/pipeline/dependence.c", "extend(&below, size_of(a->all.most - a->all.least, a->times));", "extend(&below, size_of(0, a->times));", INTERLEAVED,
        "rounds are interleaved of which one stores the first word of a row and another one that behind the row before", "columns_of_a_row_that_is_too_short"),
    "either_of_two_pointers_is_the_first": Mistake(
        "hls/pipeline/aliases.c", "return p == q || q == ITSELF ? p : p == ITSELF ? q : 0;", "return p == ITSELF ? q : p;", INTERLEAVED,
        "a load is made before a store to the same buffer by a pointer that is one of two", "a_pointer_of_either_of_two"),
    "bits_that_meet_are_added": Mistake(
        "hls/pipeline/linear.c", "magnitude_most(node->arguments[!i]) >> zeros == 0)", "zeros > 1)", INTERLEAVED,
        "an index of bits that two parts of it set is taken for their sum", "an_index_of_bits_that_meet"),
    "a_loop_leaves_what_it_has_in_its_last_round": Mistake(
        "hls/pipeline/magnitudes.c", "*most = before + each * (rounds - 1) + last;", "*most = before + each * (rounds - 1);", INTERLEAVED,
        "a count behind a loop is taken for one less than it may be", "rows_of_what_is_found_and_their_end_beyond"),
    "a_counter_goes_on_in_one_branch": Mistake(
        "hls/pipeline/magnitudes.c", "*most = other > *most ? other : *most;", "*most = other < *most ? other : *most;", INTERLEAVED,
        "a pointer that goes on now and then is taken for one that stays", "rows_of_one_or_two_words_a_round_that_share_one"),
    "threes_stay_apart_modulo_a_power_of_two": Mistake(
        "hls/pipeline/linear.c", "(term.step & (term.step - 1)) == 0);", "term.step != 0);", INTERLEAVED,
        "numbers of which nothing is known are taken for few, so that three times of them come around", "columns_of_three_that_the_data_chooses"),
    "a_counter_that_goes_back_has_one_number_less": Mistake(
        "hls/pipeline/counter_bounds.c", "(struct counted){floor.least, 1, NULL, first,", "(struct counted){floor.least, 0, NULL, first,", INTERLEAVED,
        "inner loops that go back through a row and the word behind it are taken to stay in the row", "rounds_that_need_each_other_stay_in_their_order"),
    "a_counter_that_goes_back_ends_one_earlier": Mistake(
        "hls/pipeline/magnitudes.c", "+ is_next - (condition->op", "+ 1 - (condition->op", INTERLEAVED,
        "the last number of a counter that goes back is left out", "rounds_that_need_each_other_stay_in_their_order"),
    "a_sum_without_a_part_has_some_of_it": Mistake(
        "hls/pipeline/dependence.c", "!parts->is_of_both[i] && term->least > 0 ? 0", "!parts->is_of_both[i] && term->least > 0 ? term->least", INTERLEAVED,
        "rounds are interleaved of which one stores what another one loads nine rows on", "columns_that_only_the_load_has_rows_of"),
    "the_end_of_a_counter_itself_is_its_next": Mistake(
        "hls/pipeline/magnitudes.c", "(struct counter_end){condition->arguments[1], is_itself,", "(struct counter_end){condition->arguments[1], is_itself && depth == 0,", INTERLEAVED,
        "a loop that ends behind a number is taken to end before it", "rounds_that_need_each_other_stay_in_their_order"),
    "behind_a_loop_is_what_its_last_round_adds": Mistake(
        "hls/pipeline/inner_totals.c", "if (user != s->phi && is_in_loop(s, user))", "if (user != s->phi)", INTERLEAVED,
        "a total that inner loops add to is what the last round has added", "a_count_of_what_inner_loops_find"),
    "a_hash_is_a_total": Mistake(
        "hls/pipeline/totals.c", "const bool is = t->operator == OPERATOR_NONE || t->operator == operator;", "const bool is = true;", INTERLEAVED,
        "rounds are interleaved that add to what they carry on and turn its bits", "a_sum_and_bits"),
    "rounds_read_their_own_slot_of_what_is_the_work_items": Mistake(
        "hls/pipeline/verilog.c", "return around && !graph_encloses(around, node->region) ?", "return false && !graph_encloses(around, node->region) ?", INTERLEAVED,
        "a round reads what the work-item has in its own slot", "values_from_outside_are_the_work_items"),
    "a_word_that_was_stored_is_loaded_again": Mistake(
        "hls/pipeline/reload.c", "&& stays(LLVMGetOperand(w->before, 0)) &&", "&& (stays(LLVMGetOperand(w->before, 0)) || w->header) &&", INTERLEAVED,
        "a round loads again what the round before has loaded and then stored", "rows_whose_ends_are_stored"),
    "what_rounds_carry_on_waits_for_its_turn": Mistake(
        "hls/pipeline/sharing.c", "  if (s->region->overlaps && graph->operations_share_freely)", "  if (graph->share == 1)", ROUNDS,
        "a sum shares its adder with its terms, and rounds are further apart for it", "terms_of_a_sum_share"),
    "operations_take_an_operator_at_once": Mistake(
        "hls/pipeline/schedule.c", "      if (!*is_taken) {", "      if (!*is_taken || stage != 0) {", ROUNDS,
        "two operations give their operands to one operator in the same cycle", "a_loop_whose_operations_share"),
    "rounds_come_sooner_than_what_they_need": Mistake(
        "hls/pipeline/rounds.c", "return (phi->kept - phi->stage) / rounds + 1;", "return (phi->kept - phi->stage) / rounds;", ROUNDS,
        "a round reads a sum before the one in front of it has stored it", "a_sum_of_floats_in_its_order"),
    "words_of_a_shift_register_are_those_of_the_round_before": Mistake(
        "hls/pipeline/ends_verilog.c", "n < most; n++, phi = rounds_source(phi))", "n < most; n++)", ROUNDS,
        "a round reads what the rounds in front of it have still to pass on", "eight_partial_sums_of_floats"),
    "rounds_come_before_elements_are_set": Mistake(
        "hls/pipeline/rounds.c", "unsigned interval = elements_apart(graph, segment, elements);", "unsigned interval = elements_apart(graph, segment, elements) != 0;", ROUNDS,
        "a round reads an element of an array before one in front of it has set it",
        "what_was_set_a_round_before_is_read"),
    "elements_are_met_in_the_other_direction": Mistake(
        "hls/pipeline/dependence.c", "rounds + at[1].offset - at[0].offset,", "rounds + at[0].offset - at[1].offset,", ROUNDS,
        "what was set some rounds ago is taken for what is set in some rounds",
        "what_was_set_four_rounds_before_is_read"),
    "packets_of_rounds_change_places": Mistake(
        "hls/pipeline/overlap.c", "    if (used[node->pipe])\n      return true;", "    if (used[node->pipe])\n      return false;", REPORT,
        "rounds overlap that read a pipe in two places"),
    "elements_stay_in_their_segments": Mistake(
        "hls/pipeline/overlap.c", "!hazards_keep_array(r, a) && gather_elements(r, a);", "a > 100 && gather_elements(r, a);", ROUNDS,
        "accesses of an array may be in several segments, between which rounds are no known time"),
    "loops_leave_one_value": Mistake(
        "hls/pipeline/classes.c", "return class > CLASS_DISPATCH && is_of_lanes ? CLASS_LANE : class;",
        "return class > CLASS_LANE && is_of_lanes ? CLASS_LANE : class;", PIPELINES,
        "lanes that leave a loop in different rounds share a value", "a_count_of_rounds_stays_as_it_was_when_a_lane_left"),
    "carried_values_have_the_class_of_the_first": Mistake(
        "hls/pipeline/classes.c", "enum value_class class = initial->class > next->class ? initial->class : next->class;",
        "enum value_class class = initial->class > next->class ? initial->class : initial->class;", PIPELINES,
        "a carried value is one a token though its next one is a lane's",
        "a_loop_whose_bound_another_carried_value_gives_has_barriers"),
    "sign_is_not_extended": Mistake(
        "hls/pipeline/operations_verilog.c", "write_bits(w, s, x, at, lane, x->width - 1, 1), a[0]);",
        "\"1'b0\", a[0]);", RANDOM_PIPELINES,
        "values are extended by zeros"),
    "exclusive_scans_are_inclusive": Mistake(
        "hls/pipeline/calls.c", "return combine(b, operator, carry, exclusive ? below(b, inclusive, call_identity(operator, 32)) : own);",
        "return combine(b, operator, carry, exclusive ? inclusive : own);", PIPELINES,
        "exclusive scans of work-groups are inclusive", "scans_of_a_work_group_exclude_their_own"),
    "umin_begins_with_zero": Mistake(
        "hls/pipeline/calls.c", "    case LANE_UMIN:\n    case LANE_AND:",
        "    case LANE_AND:", PIPELINES,
        "lanes that are not active bring 0 to a minimum of uints", "minima_of_some_work_items_of_a_sub_group"),
    "accesses_join_what_they_depend_on": Mistake(
        "hls/pipeline/segments.c", "return earliest_of(r, node) > segment;",
        "return earliest_of(r, node) > segment + 1;", RANDOM_PIPELINES,
        "a load whose address another load gives is made with it"),
    "stores_that_go_together_have_one_condition": Mistake(
        "hls/pipeline/groups.c", "other->mask == part->mask && other->any == part->any", "other->any == part->any", PIPELINES,
        "a word that not all lanes store is stored with its neighbour by all that store that one",
        "neighbouring_words_are_stored_by_those_that_store_them"),
    "words_that_come_together_are_of_another_work_item": Mistake(
        "hls/pipeline/groups.c", "return (int)(((lane % items) << access->across) + word);",
        "return (int)(lane % items + word * items);", PIPELINES,
        "a work-item gets its words from other lanes of the port than those that asked for them",
        "neighbouring_words_of_a_work_item_come_together"),
    "delays_are_a_cycle_short": Mistake(
        "hls/pipeline/segments_verilog.c", "               next - at, write_signal(s, node, next), write_signal(s, node, at), write_signal(s, node, next));",
        "               next - at > 3 ? next - at - 1 : next - at, write_signal(s, node, next), write_signal(s, node, at), write_signal(s, node, next));", RANDOM_PIPELINES,
        "a value of four or more stages ago comes a cycle early"),
    "what_a_barrier_parts_is_read_before_it": Mistake(
        "hls/pipeline/elements.c", "(node->op == OP_BARRIER || node->op == OP_CARRY || node->op == OP_TOTAL);", "node->op == OP_LOOP;", LOCAL_ARRAYS,
        "a work-item reads a local array before others have stored into it"),
    "lanes_of_two_rows_count_as_neighbours": Mistake(
        "hls/pipeline/local_arrays.c", "(node->local_array != 0 || (node->op == OP_LOCAL_ID && node->number != 0))", "node->op == OP_LANE", LOCAL_ARRAYS, "the last work-groups of a range read other elements"),
    "a_store_of_the_round_before_counts_as_none": Mistake(
        "hls/pipeline/windows.c", "*stored |= stores(graph, node->loop);", "*stored |= *stored && stores(graph, node->loop);", WINDOWS, "loads read what was there before a store of the round before"),
    "windows_end_with_their_line": Mistake(
        "rtl/pipeline/load_window.v", "wire odd = r_odd ^ (PLACE < r_start);", "wire odd = r_odd;", WINDOWS, "words of the next line are those of the first"),
    "windows_are_anywhere": Mistake(
        "rtl/pipeline/window_points.v", "wire is_outside = f2_base[31:GLOBAL_LOG2] != 0 || ", "wire is_outside = ", WINDOWS,
        "a load behind the end of memory reads what is at its lower bits"),
    "lines_of_the_dispatch_before_count": Mistake(
        "rtl/pipeline/window_lines.v", "entry == {1'b1, dispatch, tag};", "entry[ENTRY_BITS-1] && entry[TAG_BITS-1:0] == tag;", PIPELINE_PROGRAMS,
        "a kernel reads what memory had in the dispatch before"),
    "lines_of_lanes_of_the_dispatch_before_count": Mistake(
        "rtl/pipeline/lane_lines.v", "c_active[l] && entry != {1'b1, dispatch, line};",
        "c_active[l] && !(entry[ENTRY_BITS-1] && entry[LINE_BITS-1:0] == line);", PIPELINE_PROGRAMS,
        "a lane reads what its line had in the dispatch before"),
    "leading_zeros_are_trailing": Mistake(
        "hls/pipeline/intrinsics.c", "return trailing_zeros(b, reversed(b, x, 1));",
        "return trailing_zeros(b, x);", PIPELINES,
        "clz counts from the other end", "zeros_are_counted_from_the_top"),
    "who_missed_a_collective_in_a_loop_is_forgotten": Mistake(
        "hls/pipeline/divergence.c", "    carried[level] = changes(f, loop, level);",
        "    carried[level] = changes(f, loop, level) && level == LEVELS;", PIPELINES,
        "lanes that leave a loop of collectives early come to the next one, and nobody sees it",
        "a_pipeline_has_the_models_fault_and_its_line"),
    "masks_of_loops_never_leave_lanes_out": Mistake(
        "hls/pipeline/divergence.c", "return node->region->again == node || (", "return node->region->again || (", PIPELINES,
        "a collective behind a loop that lanes leave in different rounds is not checked",
        "a_pipeline_has_the_models_fault_and_its_line"),
    "reads_of_arrays_do_not_wait_for_writes": Mistake(
        "hls/pipeline/elements.c", "      add_all(&node->after, &writes);\n      list_add(&reads, node);",
        "      list_add(&reads, node);", PIPELINES,
        "an element of a private array is read before what was written to it is there", "a_private_array"),
    "indices_outside_are_not_seen": Mistake(
        "hls/pipeline/elements.c", "if (most_of(&facts, offset) < bytes)",
        "if (bytes != 0)", PIPELINES,
        "an access outside a private array wraps around", "an_index_outside_an_array_on_the_chip"),
    "a_compare_and_exchange_always_stores": Mistake(
        "hls/pipeline/compare_exchange.c", "LLVMBuildSelect(builder, is_equal, value, old, \"\")",
        "value", PIPELINES,
        "a compare-and-exchange stores what it should not", "who_finds_another_value_leaves_it"),
    "private_memory_of_slots_is_one": Mistake(
        "rtl/pipeline/memory_port.v", "FIRST_PRIVATE | (slot_number << SLOT_LOG2)", "FIRST_PRIVATE | (slot_number << PRIVATE_LOG2)", PIPELINES,
        "sub-groups share words of private memory", "private_memory_of_bytes_and_words"),
    "divergence_has_memorys_reason": Mistake(
        "rtl/pipeline/pipeline_unit.v", "reason <= fault_by_lanes ? diverged_reason : ",
        "reason <= ", PIPELINES,
        "a divergent collective is said to be something else", "a_lane_skips_one_and_comes_to_the_next"),
    "sub_groups_that_are_absent_are_forgotten": Mistake(
        "hls/pipeline/divergence.c", "struct node *missed = build_and(b, nobody, build_slice(b, total, 0, 1));",
        "struct node *missed = build_and(b, build_constant(graph, 1, 0), build_slice(b, total, 0, 1));", PIPELINES,
        "a sub-group that skipped a barrier comes to the next one", "a_sub_group_skips_a_barrier"),
    "words_of_the_dispatch_are_missed_that_nobody_asks_for": Mistake(
        "hls/pipeline/preamble.c", "return is_there && load->arguments[1] == r->mask;", "return is_there;", PIPELINES,
        "a kernel faults for a word that no work-item loads", "a_word_that_is_not_there_and_that_nobody_loads"),
    "words_of_rounds_are_missed_that_nobody_makes": Mistake(
        "hls/pipeline/preamble.c", "(r->parent == graph->top && r->enter == graph->top->mask);", "r->parent == graph->top;", PIPELINES,
        "a kernel faults for a word of a loop that no work-item enters", "rounds_that_nobody_makes_load_nothing"),
    "words_of_the_dispatch_are_missed_by_nobody": Mistake(
        "hls/pipeline/preamble.c", "struct node *wrong = build_and(&b, mask, bad);", "struct node *wrong = build_and(&b, build_not(&b, mask), bad);",
        PIPELINES, "a lane that loads a word that is not there goes on", "of_constant_memory"),
    "words_behind_a_bad_one_are_those_before": Mistake(
        "rtl/pipeline/fixed_words.v", "if (asked == w[5:0]) bad_o[w] <= 1'b1;", "if (come == ALL) bad_o[w] <= 1'b1;", PIPELINES,
        "a word that is not there is not told of", "of_constant_memory"),
    "words_of_the_dispatch_do_not_wait_for_their_addresses": Mistake(
        "rtl/pipeline/fixed_words.v", "(!WAITS[asked[4:0]] || has_settled)", "(!WAITS[asked[4:0]] || come == asked)", PIPELINES,
        "a word is loaded from an address that is not computed yet", "of_constant_memory"),
    "pipelines_print_by_the_numbers_of_their_first_program": Mistake(
        "hls/pipeline/calls.c", "  return i + 1;\n", "  return layout;\n", PIPELINE_PROGRAMS, "what a kernel prints in another program is lost"),
    "elements_of_printed_vectors_lie_words_apart": Mistake(
        "hls/printf.c", "record, offset + i * bytes);", "record, offset + 2 * i * bytes);", PIPELINE_PROGRAMS, "vectors of short print other numbers"),
    "pipes_have_packets_of_two_sizes": Mistake(
        "hls/pipeline/chain.c", "from->bytes != to->bytes", "from->bytes > 64", HARDWARE,
        "kernels of a chain write and read packets of different sizes"),
    "a_pipe_with_one_end_is_hardware": Mistake(
        "hls/pipeline/chain.c", "if (!alone || find_made(ends[!e], made, *count))", "if (!alone || alone->pipe_count == 0)", HARDWARE,
        "a kernel is hardware whose pipe has no other end"),
    "ways_of_pipes_meet_again": Mistake(
        "hls/pipeline/chain.c", "  return writer->arguments[argument].depth != 0;", "  return writer->arguments[argument].depth != ~0u;", HARDWARE,
        "pipes of OpenCL whose ways meet again are queues on the chip, which can wait for each other"),
    "further_pipes_are_the_first_ones": Mistake(
        "rtl/pipeline/pipe_chain.v", "localparam FIRST = k < KERNELS ? 0 : 96;", "localparam FIRST = 0;", CHIP_CHANNELS,
        "a pipe that a dispatch tells of as its second one is where the first one is"),
    "readers_begin_a_chain": Mistake(
        "host/cl/chain.c", "member && belongs(member, &none, false) && is_fed(member, &none);", "member && belongs(member, &none, false);", CHAINS,
        "a reader that is enqueued before its writer runs with it"),
    "autorun_kernels_go_on_from_run_to_run": Mistake(
        "hls/pipeline/chain_verilog.c", 'is_autorun(chain, k) ? "rst || start_i" : "rst"', 'is_autorun(chain, k) ? "rst" : "rst"', CHIP_CHANNELS,
        "an autorun kernel is not started again with its chain"),
    "what_autorun_kernels_wrote_stays": Mistake(
        "host/cl/dispatch_command.c", "kernel->arguments[i].access == HEDDLE_WRITE_ONLY && pipe->is_used", "kernel->arguments[i].access == HEDDLE_WRITE_ONLY && !pipe->is_used", CHANNELS,
        "packets of an earlier run of an autorun kernel are read"),
    "nobody_waits_for_autorun_kernels": Mistake(
        "host/cl/channel_waits.c", "    heddle_channel_feeders(needs_feeders, want_feeder, wanted);\n", "    (void)needs_feeders, (void)want_feeder;\n", CHANNELS,
        "a reader that is waited for alone does not get what an autorun kernel would send it"),
    "autorun_kernels_end_once": Mistake(
        "hls/autorun.c", "    build_again(builder, begin, end);\n", "    LLVMBuildBr(builder, end);\n", CHANNELS,
        "an autorun kernel without a loop runs once"),
    "what_a_failed_kernel_left_is_read": Mistake(
        "host/cl/streams.c", "      stream->is_spoiled = true;\n", "      stream->is_spoiled = false;\n", CHANNELS,
        "packets of a run that failed are those of the next one", "what_a_kernel_that_failed_has_left_is_no_later_kernels"),
    "crosswise_kernels_wait_for_ever": Mistake(
        "host/cl/channel_waits.c", "  heddle_channels_part(become_wanted);\n", "", CHANNELS,
        "groups of kernels that wait for each other are not parted", "kernels_that_are_crosswise_in_two_queues_run"),
    "writers_run_alone_where_they_cannot": Mistake(
        "host/cl/channel_users.c", "return user->command->member && user->kernel->kind != 0;", "return user->command->member && user->kernel->kind == 999;", CHIP_CHANNELS,
        "a writer that is waited for fails where its reader comes later",
        "a_writer_that_a_thread_waits_for_waits_for_its_reader_from_another"),
    "late_kernels_are_parted": Mistake(
        "host/cl/channels.c", "    is |= group->members[i]->command->wanted;", "    is |= group->count != 0;", CHANNELS,
        "groups of kernels that are merely late are parted", "kernels_that_wait_for_long_run_with_those_of_their_round"),
    "readers_of_nothing_wait_for_ever": Mistake(
        "hls/channels.c", "faults && !may ? text : NULL", "faults && !may && !kernel ? text : NULL", CHANNELS,
        "a kernel that reads more than was written waits until its budget is spent", "a_kernel_that_would_wait_for_ever_at_a_channel_faults"),
    "quotients_of_small_numbers_end_too_soon": Mistake(
        "hls/pipeline/instructions.c", "times <= most / by; times++", "times < most / by; times++", ROUNDS,
        "what is left of a division by a constant may be more than the constant", "quotients_of_what_is_small"),
    "bits_are_turned_by_the_opposite": Mistake(
        "hls/pipeline/build.c", "return selected_change(b, build_not(b, condition), y, x);", "return selected_change(b, condition, y, x);", ROUNDS,
        "where a condition keeps a word its bits are turned", "bits_that_are_turned_and_set"),
    "shift_registers_move_one_by_one": Mistake(
        "hls/pipeline/rounds.c", "->not_before = last_source(r->phis.items[i], &rounds)->not_before;", "->not_before += last_source(r->phis.items[i], &rounds) != r->phis.items[i];", ROUNDS,
        "words of a shift register move on in different stages", "a_row_behind_a_shift_register"),
    "products_by_one_less_are_by_one_more": Mistake(
        "hls/pipeline/operations_verilog.c", "places.is_difference ? '-' : '+'", "places.is_difference && node->width > 99 ? '-' : '+'", ROUNDS,
        "a product by 31 is one by 33", "products_that_are_sums"),
    "elements_are_passed_on_from_the_oldest": Mistake(
        "hls/pipeline/forwarding.c", "for (unsigned k = ROUNDS; k-- > 0;) {\n    LLVMValueRef same", "for (unsigned k = 0; k < ROUNDS; k++) {\n    LLVMValueRef same", ROUNDS,
        "of several rounds that have set an element the first counts", "a_histogram_whose_bins_come_again_at_once"),
    "polls_wait": Mistake(
        "rtl/pipeline/pipe_sites.v", "ready_i || (chosen & POLLS) != 0", "ready_i || (chosen & POLLS & ~chosen) != 0", CHIP_CHANNELS,
        "a read that does not wait waits", "reads_that_do_not_wait_hold_up_nothing_on_the_chip"),
    "copies_have_one_number": Mistake(
        "hls/compute_ids.c", "  set_ids(kernel, id);\n  kernel", "  set_ids(kernel, copies->sizes);\n  kernel", CHANNELS,
        "get_compute_id is the same in all copies of an autorun kernel", "copies_of_an_autorun_kernel_know_their_numbers"),
    "copies_run_on_another_ones_pipeline": Mistake(
        "hls/pipeline/hash.c", "  add_pipe_names(walk, function);\n", "  (void)add_pipe_names;\n", HARDWARE,
        "kernels that do the same to other channels have one pipeline", "a_hash_is_of_the_pipes_too"),
    "names_of_pipes_end_early": Mistake(
        "hls/pipeline/folder.c", "%256s %255s", "%256s %15s", HARDWARE, "a kernel with eight pipes is no hardware",
        "a_kernel_has_a_pipe_with_each_other_one_of_a_chain"),
    "copies_are_one_unit": Mistake(
        "hls/pipeline/folder.c", "kernel->leader == kernel ? kernel->units : 0;", "kernel->leader == kernel;", HARDWARE,
        "a device has one of several copies of a pipeline"),
    "copies_have_memory_each": Mistake(
        "hls/pipeline/rates.c", "return rate->is_of_device && graph->banks < graph->units ? graph->banks : graph->units;", "return rate->is_of_device && graph->banks > graph->units ? graph->banks : graph->units;", REPORT,
        "copies are said to get rows of memory at once of a cache with one bank"),
    "what_is_chosen_need_not_fit_together": Mistake(
        "hls/pipeline/fit_choice.c", "score > most && may_choose(s, option) && fit_together(s, i, option)", "score > most && may_choose(s, option)", FIT,
        "--fit takes for one kernel what others need"),
    "chains_take_no_room": Mistake(
        "hls/pipeline/fit.c", ".lut4 = rest_of(s->fit->left.lut4, s->fit->chains.lut4)", ".lut4 = rest_of(s->fit->left.lut4, s->fit->chains.ebr)", FIT,
        "--fit gives kernels of a chain what is around them"),
    "chains_keep_their_slots": Mistake(
        "hls/pipeline/fit.c", "search.chain_slots_log2 = FEW_SLOTS_LOG2;", "search.chain_slots_log2 = USUAL_SLOTS_LOG2;", FIT,
        "chains that fit with few slots are refused"),
    "required_sub_groups_are_forgotten": Mistake(
        "hls/pipeline/fit.c", "in_source = kernel->sub_group_size != 0 ? kernel->sub_group_size : kernel->simd_work_items", "in_source = kernel->simd_work_items", FIT,
        "--fit chooses lanes that a required sub-group size leaves idle"),
    "fields_that_overlap_are_apart": Mistake(
        "hls/pipeline/fields.c", "(!is_same && x->field < y->field + y->size", "(!is_same && y->size > s->stride && x->field < y->field + y->size", ROUNDS,
        "what is written to a part of a union is not in the whole", "fields_beside_some_that_are_accessed_together"),
    "indices_of_fields_do_not_wrap": Mistake(
        "hls/pipeline/fields.c", "  if (s->may_wrap)\n", "  if (s->may_wrap && s->count == 0)\n", ROUNDS,
        "an index that wraps around is taken for a field's", "an_array_whose_index_wraps_around"),
    "values_of_modules_are_read_early": Mistake(
        "hls/pipeline/cost.c", "return (struct cost){module->latency,", "return (struct cost){module->latency - (module->latency > 4),", MODULES,
        "what a module of the user's makes is read a cycle before it is there", "functions_that_are_modules_do_what_their_bodies_say"),
    "arguments_of_modules_change_places": Mistake(
        "hls/pipeline/operations_verilog.c", "'a' + i, operand_of(o, i, l));", "'a' + i, operand_of(o, o->node->count - 1 - i, l));", MODULES,
        "a module of the user's gets its arguments the other way round", "functions_that_are_modules_do_what_their_bodies_say"),
    "widths_of_modules_are_not_compared": Mistake(
        "hls/pipeline/verilog_files.c", "port->width != 0 && port->width != width", "port->width != 0 && port->width < width / 4", MODULES,
        "a port of a module of the user's may be narrower than the function's argument", "what_is_no_module_is_refused"),
    "macros_hide_system_tasks": Mistake(
        "hls/pipeline/verilog_files.c", "    } else if (kind == WORD_TASK) {\n      if (!is_among", "    } else if (kind == WORD_TASK) {\n      if (length > 0 && !is_among", MODULES,
        "a macro joins $ and the name of a system task", "what_is_no_module_is_refused"),
    "loops_with_a_hint_are_unrolled": Mistake(
        "hls/pipeline/unroll.c", "if (loop_options_have(latch, HINTS))", "if (loop_options_have(latch, HINTS) && rounds == 1)", HARDWARE,
        "--unroll changes loops of which the source says how they are to be"),
}
