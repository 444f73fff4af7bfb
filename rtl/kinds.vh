// SPDX-License-Identifier: Apache-2.0
// Reads the table of kinds of compute unit. To be included in a module that has KINDS and TABLE, 16 words for each kind
// (contract/DEVICE.md). Units are numbered through: those of kind 0 first, then those of kind 1, and so on.
// verilator lint_off UNUSEDPARAM
// Not every module uses all of these.
localparam KIND_BITS = `HEDDLE_KIND_BITS, TYPE_WORD = `HEDDLE_KIND_TYPE, UNITS_WORD = `HEDDLE_KIND_UNITS,
           LANES_WORD = `HEDDLE_KIND_LANES, SLOTS_WORD = `HEDDLE_KIND_SLOTS;
// verilator lint_on UNUSEDPARAM

// A word of a kind's entry.
function integer kind_word(input integer kind, input integer word);
  kind_word = TABLE[kind*KIND_BITS+32*word+:32];
endfunction
// The number of the first unit of a kind; of kind KINDS: how many units there are.
function integer first_unit(input integer kind);
  integer k;
  begin
    first_unit = 0;
    for (k = 0; k < kind; k = k + 1) first_unit = first_unit + kind_word(k, UNITS_WORD);
  end
endfunction
function integer kind_of(input integer unit);
  integer k;
  begin
    kind_of = 0;
    for (k = 0; k < KINDS; k = k + 1) if (unit >= first_unit(k) && kind_word(k, UNITS_WORD) != 0) kind_of = k;
  end
endfunction
function integer most_slots(input integer unused);
  integer k;
  begin
    most_slots = 2;
    for (k = 0; k < KINDS; k = k + 1)
    if (kind_word(k, UNITS_WORD) != 0 && kind_word(k, SLOTS_WORD) > most_slots) most_slots = kind_word(k, SLOTS_WORD);
  end
endfunction
