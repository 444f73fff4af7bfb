// SPDX-License-Identifier: Apache-2.0
// The module of a chain: its pipelines, the queues between them, and what surrounds them, rtl/pipeline/pipe_chain.v.
#include <string.h>

#include "contract/log2.h"
#include "hls/pipeline/chain.h"
#include "hls/pipeline/graph.h"

// Of a queue: as much as a block RAM holds of wide packets, and more than any delay between; or as much as the program
// says, up to what a board could have.
enum { DEPTH_LOG2 = 6, MOST_DEPTH_LOG2 = 14 };

// Ports of a kernel's pipeline that pipe_chain.v has for each kernel: what it is called there, and the bits of one.
static const struct {
  const char *port, *signal, *bits;
} kernel_ports[] = {
    {"start_i", "start", "1"},
    {"packet_i", "packet", "32"},
    {"sub_group_log2_i", "sub_group_log2", "3"},
    {"sub_groups_i", "sub_groups", "11"},
    {"local_bytes_i", "local_bytes", "32"},
    {"group_valid_i", "group_valid", "1"},
    {"group_ready_o", "group_ready", "1"},
    {"group_id_i", "group_id", "96"},
    {"group_base_i", "group_base", "96"},
    {"group_size_i", "group_size", "33"},
    {"group_done_o", "group_done", "1"},
    {"idle_o", "idle", "1"},
    {"fault_o", "fault", "1"},
    {"drained_o", "drained", "1"},
    {"fault_record_o", "fault_records", "256"},
    {"issued_o", "issued", "1"},
    {"active_o", "active", "6"},
    {"memory_wait_o", "memory_wait", "1"},
    {"conflict_o", "conflict", "1"},
    {"request_valid_o", "kernel_valid", "1"},
    {"request_ready_i", "kernel_ready", "1"},
    {"request_kind_o", "kernel_kind", "2"},
    {"request_function_o", "kernel_function", "5"},
    {"request_address_o", "kernel_address", "GLOBAL_LOG2"},
    {"request_data_o", "kernel_data", "(8 * BEAT_BYTES)"},
    {"request_strobe_o", "kernel_strobe", "BEAT_BYTES"},
    {"request_owner_o", "kernel_owner", "OWNER_BITS"},
    {"request_label_o", "kernel_label", "KERNEL_LABEL_BITS"},
    {"response_valid_i", "kernel_response", "1"},
    {"response_ready_o", "kernel_response_ready", "1"},
};
enum { KERNEL_PORTS = sizeof kernel_ports / sizeof *kernel_ports };

// The same of a queue.
static const struct {
  const char *port, *signal, *bits;
} queue_ports[] = {
    {"most_i", "most", "32"},
    {"address_i", "pipe_address", "GLOBAL_LOG2"},
    {"offset_i", "offset", "GLOBAL_LOG2"},
    {"ended_o", "queue_ended", "1"},
    {"store_valid_o", "store_valid", "1"},
    {"store_ready_i", "store_ready", "1"},
    {"store_address_o", "store_address", "GLOBAL_LOG2"},
    {"store_data_o", "store_data", "(8 * BEAT_BYTES)"},
    {"store_strobe_o", "store_strobe", "BEAT_BYTES"},
};
enum { QUEUE_PORTS = sizeof queue_ports / sizeof *queue_ports };

void chain_name(const struct folder_kernel *leader, char *name, size_t size) {
  snprintf(name, size, "pipeline_chain__%.200s", leader->result.graph->kernel);
}

// A port of pipe_chain.v is an output where it is an input of a kernel or of a queue.
static char direction_of(const char *port) {
  const char *end = port;
  while (end[1] != 0)
    end++;
  return *end == 'i' ? 'o' : 'i';
}

static void write_limits(const struct chain *chain, FILE *file) {
  const char *names[] = {"LANES_LOG2", "SLOTS", "WORK_GROUP_ITEMS", "LOCAL_BYTES"};
  const unsigned bits[] = {3, 12, 32, 32};
  for (int i = 0; i < 4; i++) {
    fprintf(file, "      .%s({", names[i]);
    for (size_t k = chain->count; k-- > 0;) {
      const struct folder_kernel *kernel = chain->kernels[k];
      const unsigned values[] = {heddle_log2_ceiling(kernel->lanes), 1u << kernel->slots_log2,
                                 kernel->result.work_group_items, kernel->result.local_bytes};
      fprintf(file, "%u'd%u%s", bits[i], values[i], k != 0 ? ", " : "}),\n");
    }
  }
}

static bool is_autorun(const struct chain *chain, size_t kernel) {
  return chain->kernels[kernel]->kernel->is_autorun;
}

// Which kernels do not end, and which queues have one at an end.
static void write_endless(const struct chain *chain, FILE *file) {
  unsigned kernels = 0, queues = 0;
  for (size_t k = 0; k < chain->count; k++)
    kernels |= (unsigned)is_autorun(chain, k) << k;
  for (size_t q = 0; q < chain->queue_count; q++)
    queues |= (unsigned)(is_autorun(chain, chain->queues[q].writer) || is_autorun(chain, chain->queues[q].reader)) << q;
  fprintf(file, "      .AUTORUN(%zu'd%u),\n      .ENDLESS(%zu'd%u),\n", chain->count, kernels, chain->queue_count,
          queues);
}

static void write_around(const struct chain *chain, FILE *file) {
  static const char *const names[] = {"GLOBAL_LOG2", "FIRST_LOG2", "BEAT_LOG2", "OWNER_BITS", "LABEL_BITS"};
  for (int i = 0; i < KERNEL_PORTS; i++)
    fprintf(file, "  wire [KERNELS*%s-1:0] %s;\n", kernel_ports[i].bits, kernel_ports[i].signal);
  for (int i = 0; i < QUEUE_PORTS; i++)
    fprintf(file, "  wire [QUEUES*%s-1:0] %s;\n", queue_ports[i].bits, queue_ports[i].signal);
  fputs("  wire kernels_stop, queues_rst, open;\n  wire [3:0] kernels_stop_reason;\n  wire [KERNELS-1:0] ended;\n",
        file);
  fprintf(file,
          "  pipe_chain #(\n      .KERNELS(KERNELS),\n      .QUEUES(QUEUES),\n      .SOURCE_BITS(SOURCE_BITS),\n");
  write_endless(chain, file);
  write_limits(chain, file);
  for (int i = 0; i < 5; i++)
    fprintf(file, "      .%s(%s)%s\n", names[i], names[i], i < 4 ? "," : "");
  fputs("  ) chain (\n", file);
  for (const struct folder_port *port = folder_ports; port->name; port++)
    fprintf(file, "      .%s(%s),\n", port->name, port->name);
  for (int i = 0; i < KERNEL_PORTS; i++)
    fprintf(file, "      .%s_%c(%s),\n", kernel_ports[i].signal, direction_of(kernel_ports[i].port),
            kernel_ports[i].signal);
  for (int i = 0; i < QUEUE_PORTS; i++)
    fprintf(file, "      .%s_%c(%s),\n", queue_ports[i].signal, direction_of(queue_ports[i].port),
            queue_ports[i].signal);
  fputs(
      "      .kernels_stop_o(kernels_stop),\n      .kernels_stop_reason_o(kernels_stop_reason),\n"
      "      .queues_rst_o(queues_rst),\n      .open_o(open),\n      .ended_o(ended)\n  );\n",
      file);
}

// The ports of a pipeline to one of its pipes: wires of the queue's number.
static void write_pipe(const struct folder_kernel *kernel, const struct pipeline_pipe *pipe, size_t q, FILE *file) {
  const unsigned p = (unsigned)(pipe - kernel->result.pipes);
  const char *way = pipe->is_read ? "read" : "write";
  fprintf(file,
          "      .pipe%u_o(%s_%zu),\n      .pipe%u_ready_i(%s_ready_%zu),\n      .pipe%u_ok_i(%s_ok_%zu),\n"
          "      .pipe%u_packet_%c(%s_packet_%zu),\n",
          p, way, q, p, way, q, p, way, q, p, pipe->is_read ? 'i' : 'o', way, q);
}

static void write_kernel(const struct chain *chain, size_t k, FILE *file) {
  const struct folder_kernel *kernel = chain->kernels[k];
  fprintf(file, "\n  // ---- %s\n  %s #(\n", kernel->result.graph->kernel, kernel->result.module);
  for (const char *const *name = folder_parameters; *name; name++)
    if (strcmp(*name, "LABEL_BITS") != 0)
      fprintf(file, "      .%s(%s),\n", *name, *name);
  fprintf(file, "      .LABEL_BITS(KERNEL_LABEL_BITS)\n  ) kernel_%zu (\n      .clk(clk),\n      .rst(%s),\n", k,
          is_autorun(chain, k) ? "rst || start_i" : "rst");
  for (size_t q = 0; q < chain->queue_count; q++) {
    const struct chain_queue *queue = &chain->queues[q];
    if (queue->writer == k)
      write_pipe(kernel, queue->pipe->written, q, file);
    if (queue->reader == k)
      write_pipe(kernel, queue->pipe->read, q, file);
  }
  for (int i = 0; i < KERNEL_PORTS; i++)
    fprintf(file, "      .%s(%s[%zu*%s+:%s]),\n", kernel_ports[i].port, kernel_ports[i].signal, k, kernel_ports[i].bits,
            kernel_ports[i].bits);
  fputs(
      "      .clear_i(clear_i),\n      .stop_i(kernels_stop),\n      .stop_reason_i(kernels_stop_reason),\n"
      "      .rights_i(rights_i),\n      .response_data_i(response_data_i),\n      "
      ".response_label_i(response_label_i[KERNEL_LABEL_BITS-1:0])\n"
      "  );\n",
      file);
}

unsigned chain_depth_log2(const struct folder_pipe *pipe) {
  unsigned log2 = DEPTH_LOG2;
  const uint32_t packets = pipe->reader->kernel->arguments[pipe->read->argument].depth;
  while (log2 < MOST_DEPTH_LOG2 && packets > 1u << log2)
    log2++;
  return log2;
}

static void write_queue(const struct chain_queue *queue, size_t q, FILE *file) {
  fprintf(file,
          "  pipe_queue #(\n      .BYTES(%u),\n      .DEPTH_LOG2(%u),\n      .GLOBAL_LOG2(GLOBAL_LOG2),\n"
          "      .BEAT_LOG2(BEAT_LOG2)\n  ) queue_%zu (\n      .clk(clk),\n      .rst(queues_rst),\n"
          "      .open_i(open),\n      .stop_i(kernels_stop),\n",
          queue->pipe->read->bytes, chain_depth_log2(queue->pipe), q);
  fprintf(
      file,
      "      .write_i(write_%zu),\n      .write_packet_i(write_packet_%zu),\n      .write_ready_o(write_ready_%zu),\n"
      "      .write_ok_o(write_ok_%zu),\n      .writer_ended_i(ended[%zu]),\n",
      q, q, q, q, queue->writer);
  fprintf(file,
          "      .read_i(read_%zu),\n      .read_ready_o(read_ready_%zu),\n      .read_ok_o(read_ok_%zu),\n"
          "      .read_packet_o(read_packet_%zu),\n      .reader_ended_i(ended[%zu]),\n",
          q, q, q, q, queue->reader);
  for (int i = 0; i < QUEUE_PORTS; i++)
    fprintf(file, "      .%s(%s[%zu*%s+:%s])%s\n", queue_ports[i].port, queue_ports[i].signal, q, queue_ports[i].bits,
            queue_ports[i].bits, i + 1 < QUEUE_PORTS ? "," : "");
  fputs("  );\n", file);
}

void chain_write(const struct chain *chain, FILE *file) {
  char name[PIPELINE_MODULE_BYTES];
  chain_name(chain->kernels[0], name, sizeof name);
  fputs("// SPDX-License-Identifier: Apache-2.0\n// A chain of kernels:", file);
  for (size_t k = chain->count; k-- > 0;)
    fprintf(file, " %s%s", chain->kernels[k]->result.graph->kernel, k != 0 ? "," : ". Made by heddlec --hardware.\n");
  fprintf(file, "`default_nettype none\n\nmodule %s #(\n", name);
  folder_write_ports(file);
  fprintf(file,
          "  localparam KERNELS = %zu, QUEUES = %zu, SOURCE_BITS = %u, KERNEL_LABEL_BITS = LABEL_BITS - SOURCE_BITS;\n",
          chain->count, chain->queue_count, chain_source_bits(chain->count));
  for (size_t q = 0; q < chain->queue_count; q++)
    fprintf(file,
            "  wire read_%zu, read_ready_%zu, read_ok_%zu, write_%zu, write_ready_%zu, write_ok_%zu;\n"
            "  wire [%u:0] read_packet_%zu, write_packet_%zu;\n",
            q, q, q, q, q, q, 8 * chain->queues[q].pipe->read->bytes - 1, q, q);
  write_around(chain, file);
  for (size_t k = 0; k < chain->count; k++)
    write_kernel(chain, k, file);
  fputs("\n  // ---- the pipes\n", file);
  for (size_t q = 0; q < chain->queue_count; q++)
    write_queue(&chain->queues[q], q, file);
  fputs("endmodule\n\n`default_nettype wire\n", file);
}
