# SPDX-License-Identifier: Apache-2.0
# Of the mangled names of a library, one a line, prints those of OpenCL C functions that a kernel may call: not libclc's
# own helpers, and not what takes double arguments. _Z3sinDv4_f: length, name, parameters.
/^__to_(global|local|private)$/ { print; next }  # what clang calls by these names
/^_Z[0-9]/ {
  encoded = substr($0, 3)
  length_of_name = encoded + 0
  start = length(length_of_name "") + 1
  name = substr(encoded, start, length_of_name)
  parameters = substr(encoded, start + length_of_name)
  gsub(/[0-9]+(memory_order|memory_scope|ocl_[a-z0-9_]+)/, "", parameters)
  if (name ~ /^__clc_/) next
  if (parameters ~ /d/) next
  print
}
