#include <cstddef>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "topologies/bcube.h"
#include "topologies/cut.h"

/// What the bound of a wiring costs: this program counts the bytes that it allocates.
namespace {
std::size_t allocated = 0;
}  // namespace

void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace gradwire::topologies {
namespace {

/// Bytes that cut_bound() allocates, by the wiring's cables.
double bytes_per_cable(const Topology& topology) {
  const std::size_t before = allocated;
  EXPECT_GT(cut_bound(topology).t_f, 0);
  return static_cast<double>(allocated - before) / static_cast<double>(topology.links().size());
}

// 53,248 switches have two of 8,192 hosts below each. A bit per host for each of them would be more
// than twice the bytes of all else.
TEST(CutBound, CostsAsMuchAsThereAreCables) {
  EXPECT_LT(bytes_per_cable(BCube(2, 13)), 1.5 * bytes_per_cable(BCube(2, 9)));
}

}  // namespace
}  // namespace gradwire::topologies
