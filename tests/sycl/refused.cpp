// SPDX-License-Identifier: Apache-2.0
// Kernels that the device link refuses. A comment says in which line which message is expected: `refused: its words`.
// This is not a test program: diagnostics.py compiles it. Messages stand in their line, however long.
// clang-format off
#include <stdexcept>
#include <sycl/sycl.hpp>

using sycl::nd_item;

struct shape {
  virtual int area() const;
};
int shape::area() const {
  return 1;
}

int counter;                        // changes
const int table[4] = {1, 2, 3, 4};  // does not
static int next(int x) {
  static int calls = 0;
  calls += x;  // refused: kernel 'StaticVariable' uses the variable 'calls', which is not constant
  return calls;
}
int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);  // refused: kernel 'Recursion' calls 'factorial', which calls itself
}
int even(int n);
int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}
int even(int n) {
  return n == 0 ? 1 : odd(n - 1);  // refused: kernel 'MutualRecursion' calls 'odd', which calls itself
}
int not_here(int x);
SYCL_EXTERNAL int in_another_file(int x);
int checked(const std::vector<int> *values) {
  return values->at(3);  // refused: kernel 'Throws' may throw an exception
}
[[intel::sub_group_size(4)]] int of_four(int x) {
  return x + 1;
}
[[intel::named_sub_group_size(automatic)]] int of_any(int x) {
  return x + 1;
}
SYCL_EXTERNAL [[intel::sub_group_size(8)]] int external_of_eight(int x);
SYCL_EXTERNAL int external_without(int x);

#define BY_MACRO(n) [[intel::sub_group_size(n)]]

int main() {
  sycl::queue q;
  int *p = sycl::malloc_device<int>(64, q);
  const sycl::nd_range<1> r(64, 8);
  q.parallel_for<class Virtual>(r, [=](nd_item<1>) {
    p[0] = reinterpret_cast<const shape *>(p)->area();  // refused: kernel 'Virtual' calls a virtual function
  });
  q.parallel_for<class Bessel>(r, [=](nd_item<1> item) {
    p[0] = static_cast<int>(j0(item.get_global_id(0)));  // refused: kernel 'Bessel' calls 'j0', which is not defined for the device
  });
  q.parallel_for<class OfHalves>(r, [=](nd_item<1> item) {
    const auto x = static_cast<sycl::half>(item.get_global_id(0));
    p[0] = static_cast<int>(__builtin_elementwise_sin(x));  // refused: kernel 'OfHalves' calls 'llvm.sin.f16', which the device does not have
  });
  q.parallel_for<class Pointer>(r, [=](nd_item<1> item) {
    int (*f)(int) = p[0] != 0 ? even : odd;
    p[0] = f(static_cast<int>(item.get_global_id(0)));  // refused: kernel 'Pointer' calls a function through a pointer
  });
  q.parallel_for<class New>(r, [=](nd_item<1>) {
    int *x = new int(3);  // refused: kernel 'New' uses new
    p[0] = *x;
  });
  q.parallel_for<class Delete>(r, [=](nd_item<1>) {
    delete[] p;  // refused: kernel 'Delete' uses delete; the device has no heap
  });
  q.parallel_for<class Throw>(r, [=](nd_item<1>) {
    if (p[0] == 3) {
      throw 3;  // refused: kernel 'Throw' throws an exception
    }
  });
  q.parallel_for<class Throws>(r, [=](nd_item<1>) { p[0] = checked(reinterpret_cast<const std::vector<int> *>(p)); });
  q.parallel_for<class GlobalVariable>(r, [=](nd_item<1>) {
    p[0] = counter;  // refused: kernel 'GlobalVariable' uses the variable 'counter', which is not constant
  });
  q.parallel_for<class StaticVariable>(r, [=](nd_item<1>) { p[0] = next(p[1]); });
  q.parallel_for<class Recursion>(r, [=](nd_item<1>) { p[0] = factorial(p[1]); });
  q.parallel_for<class MutualRecursion>(r, [=](nd_item<1>) { p[0] = odd(p[1]); });
  q.parallel_for<class Undefined>(r, [=](nd_item<1>) {
    p[0] = not_here(3);  // refused: kernel 'Undefined' calls 'not_here', which is not defined for the device
  });
  q.parallel_for<class UndefinedExternal>(r, [=](nd_item<1>) {
    p[0] = in_another_file(3);  // refused: kernel 'UndefinedExternal' calls 'in_another_file', which is not defined
  });
  q.parallel_for<class SizeOfFunction>(r, [=](nd_item<1>) {
    p[0] = of_four(3);  // refused: kernel 'SizeOfFunction' has sub-group size primary but calls 'of_four', which is defined with 4
  });
  q.parallel_for<class Automatic>(r, [=](nd_item<1>) [[intel::sub_group_size(2)]] {
    p[0] = of_any(3);  // refused: kernel 'Automatic' has sub-group size 2 but calls 'of_any', which is defined with automatic
  });
  q.parallel_for<class SizeOfExternal>(r, [=](nd_item<1>) BY_MACRO(4) {
    p[0] = external_of_eight(3);  // refused: kernel 'SizeOfExternal' has sub-group size 4 but calls 'external_of_eight', which is declared with 8
  });
  q.parallel_for<class Primary>(r, [=](nd_item<1>) [[intel::named_sub_group_size(primary)]] {
    p[0] = external_of_eight(3);  // refused: kernel 'Primary' has sub-group size primary but calls 'external_of_eight', which is declared with 8
  });
  q.parallel_for<class PrimaryOfItself>(r, [=](nd_item<1>) {
    p[0] = external_of_eight(4);  // refused: kernel 'PrimaryOfItself' has sub-group size primary but calls 'external_of_eight', which is declared with 8
  });
  q.parallel_for<class MissingAttribute>(r, [=](nd_item<1>) [[intel::sub_group_size(8)]] {
    p[0] = external_without(3);  // refused: kernel 'MissingAttribute' has sub-group size 8 but calls 'external_without', which is declared with primary
  });
  q.parallel_for<class Fine>(r, [=](nd_item<1>) BY_MACRO(8) { p[0] = table[p[1] & 3]; });
}
