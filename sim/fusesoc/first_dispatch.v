// SPDX-License-Identifier: Apache-2.0
// The sim target of heddle.core: a device of four lanes with its memory in registers runs one dispatch, in plain Verilog. Four work-items
// store the work-group's inclusive sum of 1 2 3 4 at OUTPUT; the bench reads it back through the link and says what came. It is also
// the shortest example of what a design around the device does (rtl/PORTS.md). Ends with "first_dispatch passed", or with $fatal.
`timescale 1 ns / 1 ns
`include "rtl/shape.vh"
`include "contract/device_map.vh"
`default_nettype none

module first_dispatch;
  localparam LANES = 4, SLOTS = 4, GLOBAL_LOG2 = 16;
  localparam BEAT_LOG2 =
  `HEDDLE_BEAT_LOG2(LANES)
  , LINE_LOG2 =
  `HEDDLE_LINE_LOG2(BEAT_LOG2)
  , BEAT_BYTES = 1 << BEAT_LOG2;
  localparam CODE = 16'h1000, DISPATCH = 16'h2000, OUTPUT = 16'h3000, PRIVATE = 16'h4000;
  localparam MOST_CYCLES = 20000;  // the dispatch takes about a hundred

  reg clk = 1'b0, rst = 1'b1;
  always #5 clk = !clk;
  integer cycles = 0;
  always @(posedge clk) begin
    cycles <= cycles + 1;
    if (cycles > MOST_CYCLES) $fatal(1, "first_dispatch failed: nothing after %0d cycles", MOST_CYCLES);
  end

  reg control_valid = 1'b0, control_write = 1'b0;
  reg  [11:2] control_address = 10'd0;
  reg  [31:0] control_data = 32'd0;
  wire [31:0] control_answer;
  wire busy, ready;
  reg link_valid = 1'b0, link_store = 1'b0;
  reg [ GLOBAL_LOG2-1:0] link_address = 0;
  reg [8*BEAT_BYTES-1:0] link_data = 0;
  wire link_ready, link_quiet, link_answer;
  wire [8*BEAT_BYTES-1:0] link_answer_data;
  wire request_valid, request_ready, request_store, response_valid, response_ready;
  wire [GLOBAL_LOG2-1:0] request_address;
  wire [8*BEAT_BYTES-1:0] request_data, response_data;
  wire [BEAT_BYTES-1:0] request_strobe;

  wire cache_idle_unused;
  heddle #(
      .LANES(LANES),
      .SLOTS(SLOTS),
      .GLOBAL_LOG2(GLOBAL_LOG2),
      .CACHE_LOG2(13),
      .FETCH_CACHE_LOG2(11),
      .LOCAL_LOG2(10),
      .FPU(0)
  ) heddle (
      .clk(clk),
      .rst(rst),
      .control_valid_i(control_valid),
      .control_write_i(control_write),
      .control_address_i(control_address),
      .control_data_i(control_data),
      .control_data_o(control_answer),
      .busy_o(busy),
      .ready_o(ready),
      .link_valid_i(link_valid),
      .link_ready_o(link_ready),
      .link_store_i(link_store),
      .link_address_i(link_address),
      .link_data_i(link_data),
      .link_strobe_i({BEAT_BYTES{1'b1}}),
      .link_quiet_o(link_quiet),
      .link_answer_o(link_answer),
      .link_answer_data_o(link_answer_data),
      .forget_i(1'b0),
      .hold_i(1'b0),
      .cache_idle_o(cache_idle_unused),
      .memory_latency_i(16'd2),
      .memory_interval_i(16'd5),
      .memory_error_i(1'b0),
      .memory_busy_i(1'b0),
      .request_valid_o(request_valid),
      .request_ready_i(request_ready),
      .request_store_o(request_store),
      .request_address_o(request_address),
      .request_data_o(request_data),
      .request_strobe_o(request_strobe),
      .response_valid_i(response_valid),
      .response_ready_o(response_ready),
      .response_data_i(response_data)
  );
  block_memory #(
      .ADDRESS_BITS(GLOBAL_LOG2),
      .BEAT_LOG2(BEAT_LOG2),
      .LINE_LOG2(LINE_LOG2)
  ) block_memory (
      .clk(clk),
      .rst(rst),
      .request_valid_i(request_valid),
      .request_ready_o(request_ready),
      .request_store_i(request_store),
      .request_address_i(request_address),
      .request_data_i(request_data),
      .request_strobe_i(request_strobe),
      .response_valid_o(response_valid),
      .response_ready_i(response_ready),
      .response_data_o(response_data)
  );

  // Inputs change at the falling edge, so that no edge of clk sees them change.
  task automatic store(input [GLOBAL_LOG2-1:0] address, input [31:0] word0, input [31:0] word1, input [31:0] word2,
                       input [31:0] word3);
    begin
      link_valid = 1'b1;
      link_store = 1'b1;
      link_address = address;
      link_data = {word3, word2, word1, word0};
      #1;
      while (!link_ready) @(negedge clk);
      @(negedge clk);
      link_valid = 1'b0;
    end
  endtask
  task automatic write_control(input [11:0] offset, input [31:0] word);
    begin
      control_valid = 1'b1;
      control_write = 1'b1;
      control_address = offset[11:2];
      control_data = word;
      @(negedge clk);
      control_valid = 1'b0;
    end
  endtask
  task automatic read_control(input [11:0] offset);  // the word stands at control_answer afterwards
    begin
      control_valid   = 1'b1;
      control_write   = 1'b0;
      control_address = offset[11:2];
      @(negedge clk);
      control_valid = 1'b0;
    end
  endtask
  task automatic expect_control(input [11:0] offset, input [31:0] word);
    begin
      read_control(offset);
      if (control_answer !== word)
        $fatal(1, "first_dispatch failed: register %h is %h, not %h", offset, control_answer, word);
    end
  endtask

  integer started;
  initial begin
    repeat (2) @(negedge clk);
    rst = 1'b0;
    @(negedge clk);
    while (ready !== 1'b1) @(negedge clk);
    expect_control(12'h000, 32'h4C444448);  // "HDDL"
    expect_control(12'h008, LANES);
    expect_control(12'h00C, SLOTS);

    // csrr a0, global id; addi a1, a0, 1; work-group inclusive scan of a1; a2 = OUTPUT + 4 * a0; sw a1, 0(a2); exit
    store(CODE, 32'hcd002573, 32'h00150593, 32'h0805958b, 32'h00003637);
    store(CODE + 16, 32'h00251513, 32'h00a60633, 32'h00b62023, 32'h0000300b);
    // contract/DEVICE.md, Dispatch: words 0 to 31. Sub-groups of 4, one work-group of 4 work-items.
    store(DISPATCH, CODE, 32'd2, 32'd0, PRIVATE);
    store(DISPATCH + 16, 32'd8, 32'd0, 32'd0, 32'd0);
    store(DISPATCH + 32, 32'd0, 32'd0, 32'd0, 32'd0);
    store(DISPATCH + 48, 32'd0, 32'd0, 32'd0, 32'd0);
    store(DISPATCH + 64, 32'd1, 32'd4, 32'd1, 32'd1);
    store(DISPATCH + 80, 32'd0, 32'd0, 32'd0, 32'd4);
    store(DISPATCH + 96, 32'd1, 32'd1, 32'd1, 32'd1);
    store(DISPATCH + 112, 32'd1, 32'd1, 32'd4, 32'd0);
    while (!link_quiet) @(negedge clk);
    write_control(12'h108, DISPATCH);
    write_control(12'h100, 32'd1);
    started = cycles;
    repeat (2) @(negedge clk);
    while (busy) @(negedge clk);
    expect_control(12'h104, 32'd0);  // STATUS: not busy, no fault
    expect_control(12'h10C, 32'd1);  // one dispatch has ended

    link_valid   = 1'b1;
    link_store   = 1'b0;
    link_address = OUTPUT;
    #1;
    while (!link_ready) @(negedge clk);
    @(negedge clk);
    link_valid = 1'b0;
    while (!link_answer) @(negedge clk);
    if (link_answer_data !== {32'd10, 32'd6, 32'd3, 32'd1})
      $fatal(1, "first_dispatch failed: the sums are %h, not 1 3 6 10", link_answer_data);
    $display("first_dispatch passed: 1 3 6 10 after %0d cycles", cycles - started);
    $finish;
  end
endmodule

`default_nettype wire
