#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "tests/transport/rank_group.h"
#include "topologies/bcube.h"

/// Timed code does not allocate: this program counts every allocation of its own. What UCX takes
/// with malloc is not seen.
namespace {
std::atomic<bool> counting = false;
std::atomic<std::size_t> allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  if (counting) ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  if (counting) ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace gradwire::transport {
namespace {

template <class Transport>
class Allocation : public testing::TransportTest<Transport> {};
TYPED_TEST_SUITE(Allocation, testing::AllTransports, testing::TransportName);

TYPED_TEST(Allocation, ExecuteDoesNotAllocate) {
  constexpr std::size_t kElements = 100'003;
  const topologies::BCube wiring(2, 2);
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < 4; ++i) plans.push_back(bml::plan(wiring, Rank(i), kElements));
  TypeParam transport(4);
  allocations = 0;
  const auto endings =
      testing::run_ranks(transport, plans, kElements, [](testing::RankContext& rank) {
        // Rank 0's first run ends only after everybody has begun, and its last before anybody goes
        // on: what the ranks do before and after may allocate, and is not counted.
        rank.executor.execute();
        if (rank.self == Rank(0)) counting = true;
        rank.executor.execute();
        rank.executor.execute();
        if (rank.self == Rank(0)) counting = false;
        rank.rendezvous.barrier();
      });
  testing::expect_ended_well(endings);
  EXPECT_EQ(allocations, 0u);
}

TEST(AllocationCounter, Counts) {
  allocations = 0;
  counting = true;
  const std::vector<int> numbers(10);
  counting = false;
  EXPECT_EQ(numbers.size(), 10u);
  EXPECT_GE(allocations, 1u);
}

}  // namespace
}  // namespace gradwire::transport
