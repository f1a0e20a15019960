#include "transport/add.h"

#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::transport {
namespace {

// sums[i] += terms[i] for every length and alignment that vector code treats differently, and not a
// float beyond.
TEST(Add, EqualsTheScalarSum) {
  for (std::size_t length = 0; length <= 100; ++length) {
    for (std::size_t offset = 0; offset < 9; ++offset) {
      std::vector<float> sums(120);
      std::vector<float> terms(120);
      for (std::size_t i = 0; i < 120; ++i) {
        sums[i] = static_cast<float>(i * i);
        terms[i] = static_cast<float>(1000 + 7 * i);
      }
      std::vector<float> expected = sums;
      for (std::size_t i = 0; i < length; ++i) expected[offset + i] += terms[3 + i];
      add(std::span(sums).subspan(offset, length), std::span(terms).subspan(3, length));
      EXPECT_EQ(sums, expected) << length << ' ' << offset;
    }
  }
}

TEST(Add, RefusesUnequalLengths) {
  std::vector<float> sums(3);
  const std::vector<float> terms(4);
  EXPECT_THROW(add(sums, terms), InternalError);
}

}  // namespace
}  // namespace gradwire::transport
