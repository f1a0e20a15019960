#include "transport/add.h"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/elements.h"
#include "core/error.h"
#include "core/with_type.h"

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

/// Memory of `count` elements whose values `number(i)` gives.
template <class Number>
ElementBuffer filled(Dtype type, std::size_t count, Number number) {
  ElementBuffer buffer(type, count);
  with_type(type, [&](auto element) {
    using T = decltype(element);
    const std::span<T> all = buffer.elements().as<T>();
    for (std::size_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, Float16>) {
        all[i] = to_float16(static_cast<float>(number(i)));
      } else if constexpr (std::is_same_v<T, Bfloat16>) {
        all[i] = to_bfloat16(static_cast<float>(number(i)));
      } else {
        all[i] = static_cast<T>(number(i));
      }
    }
  });
  return buffer;
}

// Whole numbers that every type holds, at lengths that vector code treats differently.
TEST(Add, AddsEveryType) {
  for (const Dtype type : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16,
                           Dtype::int32, Dtype::int64}) {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 9u, 31u, 100u}) {
      const ElementBuffer sums = filled(type, count + 1, [](std::size_t i) { return i; });
      const ElementBuffer terms = filled(type, count + 1, [](std::size_t i) { return 100 - i; });
      const Extent all{.count = count};
      add(type, sums.elements().bytes(all), terms.elements().bytes(all));
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(value_at(sums.elements(), i), 100) << to_string(type) << ' ' << i;
      }
      EXPECT_EQ(value_at(sums.elements(), count), static_cast<double>(count)) << "and none beyond";
    }
  }
}

// Each sum is made in float32 and rounded once, to nearest, ties to even: 2048 + 1 and 2048 + 3 are
// ties between halves, as 256 + 1 and 256 + 3 are between bfloat16.
TEST(Add, RoundsHalvesOnce) {
  for (const auto& [type, large] :
       {std::pair(Dtype::float16, 2048), std::pair(Dtype::bfloat16, 256)}) {
    const std::vector<std::pair<int, int>> sums_of{{1, 0}, {3, 4}, {2, 2}};  // term, rounded
    for (const auto& [term, rounded] : sums_of) {
      const auto count = std::size_t{9};  // eight at once, and one by itself
      const ElementBuffer sums = filled(type, count, [&](std::size_t) { return large; });
      const ElementBuffer terms = filled(type, count, [&](std::size_t) { return term; });
      add(type, sums.elements().bytes(), terms.elements().bytes());
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(value_at(sums.elements(), i), large + rounded) << to_string(type) << ' ' << term;
      }
    }
  }
}

TEST(Add, WholeNumbersWrap) {
  std::vector<std::int32_t> sums{std::numeric_limits<std::int32_t>::max(), -5};
  const std::vector<std::int32_t> terms{1, std::numeric_limits<std::int32_t>::min()};
  add(Dtype::int32, std::as_writable_bytes(std::span(sums)), std::as_bytes(std::span(terms)));
  EXPECT_EQ(sums, (std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min(),
                                             std::numeric_limits<std::int32_t>::max() - 4}));
}

TEST(Add, BytesAreNeverAdded) {
  const ElementBuffer buffer(Dtype::byte, 4);
  const auto half = [&](std::size_t first) { return buffer.elements().bytes({first, 2}); };
  EXPECT_THROW(add(Dtype::byte, half(0), half(2)), InternalError);
}

TEST(Add, RefusesUnequalLengths) {
  std::vector<float> sums(3);
  const std::vector<float> terms(4);
  EXPECT_THROW(add(sums, terms), InternalError);
}

}  // namespace
}  // namespace gradwire::transport
