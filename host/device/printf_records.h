// SPDX-License-Identifier: Apache-2.0
// From the records that a dispatch left in the printf buffer to text.
#ifndef HEDDLE_PRINTF_RECORDS_H
#define HEDDLE_PRINTF_RECORDS_H

#include <stdio.h>

#include "host/device/driver.h"
#include "host/device/kernel_file.h"

// Writes what the kernels of a file, which stands at `base`, printed; or, unless it is NULL, what the pipeline of a
// kernel of the file did. A record of which the dispatch wrote only a part, because it faulted, is left out. 0;
// -EBADMSG: what follows in the buffer are no records, as the kernel wrote over them; -ENOMEM: some text is lost;
// -EFBIG: there is more than 64 MiB of text, and the rest is lost.
int heddle_printf_write(const struct heddle_kernel_file *file, uint32_t base, const struct heddle_kernel *pipeline,
                        const struct heddle_printed *printed, FILE *out);

#endif
