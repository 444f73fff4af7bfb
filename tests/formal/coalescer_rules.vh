// SPDX-License-Identifier: Apache-2.0
// What proofs of rtl/memory/coalescer.v assume of what comes in, the rules of the unit: no push while full, some lane,
// natural alignment, local addresses inside local memory.
always @* begin : rules
  integer i;
  if (rst || full) assume (!push);
  if (push) assume (lanes != 0 && kind <= ATOMIC && size <= 2 && (kind != ATOMIC || size == 2));
  for (i = 0; i < LANES; i = i + 1)
  if (push) begin
    assume (size == 0 || !place[ADDRESS_BITS*i]);
    assume (size != 2 || !place[ADDRESS_BITS*i+1]);
    assume (!is_local[i] || place[ADDRESS_BITS*i+:ADDRESS_BITS] >> LOCAL_LOG2 == 0);
  end
end
