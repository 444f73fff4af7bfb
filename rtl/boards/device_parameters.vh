// SPDX-License-Identifier: Apache-2.0
// Parameters of heddle.v that a board's bitstreams choose (constraints/*/*.json), with what a small board has. To be
// included in the parameter list of a board's top and of serial_device.v, in front of its own parameters: each line
// ends with a comma. A new parameter is added here, and to device_parameters_passed.vh.
    parameter LANES = 4,
    parameter SLOTS = 8,
    parameter LOCAL_LOG2 = 13,
    parameter FETCH_CACHE_LOG2 = 11,
    parameter CACHE_LOG2 = 13,
    parameter MUL = 1,
    parameter DIV = 1,
    parameter FPU = 0,
    parameter BITMANIP = 1,
    parameter ATOMIC = 1,
    parameter PROCESSOR = 0,
    parameter COMPACT = 0,
    parameter PAGES_LOG2 = 0,
