# SPDX-License-Identifier: Apache-2.0
# Of the mangled names of a library, one a line, prints those of OpenCL C functions that a kernel may call, not libclc's
# own helpers: without `double` those that neither take nor give double, with it the others. _Z3sinDv4_f: length, name,
# parameters. Of those without, what is in a part of its own (builtins.parts) only if PART is its file.
function part_of(name,    i) {
  for (i = 1; i <= names; i++)
    if (prefix[i] ? index(name, named[i]) == 1 : name == named[i]) return file[i]
  return rest
}
BEGIN {
  rest = "builtins.bc"
  while ((getline line < parts) > 0) {
    if (line ~ /^#/) continue
    count = split(line, words, " ")
    for (i = 2; i <= count; i++) {
      file[++names] = words[1]
      named[names] = words[i]
      prefix[names] = sub(/\*$/, "", named[names])
    }
  }
}
/^__to_(global|local|private)$/ { if (!double && part == rest) print; next }  # what clang calls by these names
/^__(get_pipe_(num|max)_packets_[rw]o|(read|write)_pipe_[24]|((sub|work)_group_)?(reserve|commit)_(read|write)_pipe)$/ {
  if (!double && part == rest) print
  next
}
/^(printf|__heddle_printf_reserve(_private)?|__heddle_null_reserve_id|__translate_sampler_initializer)$/ { if (!double && part == rest) print; next }
/^__heddle_(try_)?(read|write)_(channel|pipe)$/ { if (!double && part == rest) print; next }
/^__(enqueue_kernel_[a-z_]+|get_kernel_[a-z_]+_impl)$/ { if (!double && part == rest) print; next }
/^_Z[0-9]/ {
  encoded = substr($0, 3)
  length_of_name = encoded + 0
  start = length(length_of_name "") + 1
  name = substr(encoded, start, length_of_name)
  parameters = substr(encoded, start + length_of_name)
  gsub(/[0-9]+(memory_order|memory_scope|ocl_[a-z0-9_]+)/, "", parameters)
  if (name ~ /^__clc_/) next
  # The letter occurs in parameters for nothing else. What gives double without taking it:
  gives_double = name ~ /^convert_double/ || (name == "nan" && parameters ~ /^(Dv[0-9]+_)?m$/)
  if ((parameters ~ /d/ || gives_double) != (double + 0)) next
  if (double || part == part_of(name)) print
}
