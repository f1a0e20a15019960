#include "simulator/keyed_heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/simulator/instances.h"

/// Numbers by keys that change.
namespace gradwire::simulator {
namespace {

using testing::Draws;

// All that are not above, each once; of one key rising, where they have come so.
TEST(KeyedHeap, FindsWhatIsNotAbove) {
  KeyedHeap heap;
  KeyedHeap::Places places(100, KeyedHeap::kNowhere);
  std::vector<std::uint32_t> found;
  heap.find_until(1e9, found);
  EXPECT_TRUE(found.empty());
  for (std::uint32_t i = 0; i < 60; ++i) heap.set(i, 5, places);
  heap.find_until(5, found);
  ASSERT_EQ(found.size(), 60u);
  for (std::uint32_t i = 0; i < 60; ++i) EXPECT_EQ(found[i], i);
  for (std::uint32_t i = 60; i < 100; ++i) heap.set(i, i % 7, places);
  for (int last = -1; last < 8; ++last) {
    found.clear();
    heap.find_until(last, found);
    std::ranges::sort(found);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 100; ++i) {
      if ((i < 60 ? 5 : static_cast<int>(i % 7)) <= last) expected.push_back(i);
    }
    EXPECT_EQ(found, expected);
  }
}

// As a sorted list of pairs has it.
TEST(KeyedHeap, HasTheLeastOnTop) {
  Draws draws(1);
  KeyedHeap heap;
  KeyedHeap::Places places(50, KeyedHeap::kNowhere);
  std::map<std::uint32_t, double> expected;
  for (int i = 0; i < 20'000; ++i) {
    const auto number = static_cast<std::uint32_t>(draws.below(50));
    if (draws.below(3) == 0) {
      heap.erase(number, places);
      expected.erase(number);
    } else {
      const auto key = static_cast<double>(draws.below(20));
      heap.set(number, key, places);
      expected[number] = key;
    }
    ASSERT_EQ(heap.size(), expected.size());
    if (expected.empty()) continue;
    const auto least = std::ranges::min_element(
        expected, {}, [](const auto& pair) { return std::pair(pair.second, pair.first); });
    ASSERT_EQ(heap.top().number, least->first);
    ASSERT_EQ(heap.top().key, least->second);
  }
}

}  // namespace
}  // namespace gradwire::simulator
