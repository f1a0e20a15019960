#include "transport/device/device.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/pattern.h"
#include "core/pipe.h"
#include "core/with_type.h"
#include "tests/transport/device/devices.h"
#include "transport/add.h"
#include "transport/device/pattern.h"

namespace gradwire::transport::device {
namespace {

constexpr std::array kAdded = {Dtype::float32,  Dtype::float64, Dtype::float16,
                               Dtype::bfloat16, Dtype::int32,   Dtype::int64};

INSTANTIATE_TEST_SUITE_P(Devices, OnDevice, kAllDevices, device_name);

/// Whole numbers below `most`, in no order, of any type.
ElementBuffer some_numbers(Dtype type, std::size_t count, std::uint64_t most, std::uint64_t salt) {
  ElementBuffer buffer(type, count);
  with_type(type, [&](auto element) {
    using T = decltype(element);
    const std::span<T> all = buffer.elements().as<T>();
    for (std::size_t i = 0; i < count; ++i) all[i] = number_as<T>(mixed(i ^ salt) % most);
  });
  return buffer;
}

// sums[i] += terms[i] as the host adds, for every type, length and offset that vectors treat
// differently, and no element before or behind.
TEST_P(OnDevice, AddsAsTheHostDoes) {
  constexpr std::size_t kRoom = 64;
  constexpr std::array kOffsets = {std::pair(0u, 0u), std::pair(3u, 3u), std::pair(1u, 2u),
                                   std::pair(16u, 5u)};
  for (const Dtype type : kAdded) {
    const ElementBuffer terms = some_numbers(type, kRoom, 100, 1);
    const DeviceMemory on_device_terms = on_device(terms.elements());
    for (std::size_t length = 0; length <= 40; ++length) {
      for (const auto& [sum, term] : kOffsets) {
        const ElementBuffer sums = some_numbers(type, kRoom, 100, 2);
        const DeviceMemory added = on_device(sums.elements());
        const Extent to{.first = sum, .count = length};
        const Extent from{.first = term, .count = length};
        stream_->add(added.elements.part(to), on_device_terms.elements.part(from));
        transport::add(type, sums.elements().bytes(to), terms.elements().bytes(from));
        EXPECT_TRUE(
            std::ranges::equal(on_host(added.elements).elements.bytes(), sums.elements().bytes()))
            << to_string(type) << ", " << length << " from " << sum << " and " << term;
      }
    }
  }
}

// More than all threads of a GPU's blocks take at once, so that each goes on in strides.
TEST_P(OnDevice, AddsManyElements) {
  constexpr std::size_t kCount = 5'000'003;
  const ElementBuffer sums = some_numbers(Dtype::float32, kCount, 1 << 20, 3);
  const ElementBuffer terms = some_numbers(Dtype::float32, kCount, 1 << 20, 4);
  const DeviceMemory added = on_device(sums.elements());
  const DeviceMemory more = on_device(terms.elements());
  stream_->add(added.elements, more.elements);
  const PinnedMemory result = on_host(added.elements);
  transport::add(Dtype::float32, sums.elements().bytes(), terms.elements().bytes());
  EXPECT_TRUE(std::ranges::equal(result.elements.bytes(), sums.elements().bytes()));
}

// Every half there is, added to another: the sum is made in float32 and rounded once, to nearest, ties
// to even, as the host does; the bits of a NaN are the device's affair.
TEST_P(OnDevice, RoundsEveryHalfAsTheHostDoes) {
  for (const Dtype type : {Dtype::float16, Dtype::bfloat16}) {
    constexpr std::size_t kAll = 1 << 16;
    const ElementBuffer sums(type, kAll);
    const ElementBuffer terms(type, kAll);
    for (std::size_t i = 0; i < kAll; ++i) {
      sums.elements().as<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
      terms.elements().as<std::uint16_t>()[i] = static_cast<std::uint16_t>(mixed(i));
    }
    const DeviceMemory added = on_device(sums.elements());
    const DeviceMemory more = on_device(terms.elements());
    stream_->add(added.elements, more.elements);
    const PinnedMemory result = on_host(added.elements);
    transport::add(type, sums.elements().bytes(), terms.elements().bytes());
    for (std::size_t i = 0; i < kAll; ++i) {
      const double expected = value_at(sums.elements(), i);
      const double found = value_at(result.elements, i);
      const bool same = std::isnan(expected) ? std::isnan(found) : found == expected;
      ASSERT_TRUE(same) << to_string(type) << ' ' << i << ": " << found << " for " << expected;
    }
  }
}

TEST_P(OnDevice, WholeNumbersWrap) {
  const ElementBuffer sums(Dtype::int32, 1);
  const ElementBuffer terms(Dtype::int32, 1);
  sums.elements().as<std::int32_t>()[0] = std::numeric_limits<std::int32_t>::max();
  terms.elements().as<std::int32_t>()[0] = 2;
  const DeviceMemory added = on_device(sums.elements());
  const DeviceMemory more = on_device(terms.elements());
  stream_->add(added.elements, more.elements);
  EXPECT_EQ(on_host(added.elements).elements.as<std::int32_t>()[0],
            std::numeric_limits<std::int32_t>::min() + 1);
}

TEST_P(OnDevice, BytesAreNeverAdded) {
  const DeviceMemory bytes = device_->allocate(Dtype::byte, 4);
  EXPECT_THROW(stream_->add(bytes.elements.part({.count = 2}), bytes.elements.part({2, 2})),
               InternalError);
}

TEST_P(OnDevice, RefusesUnequalLengthsAndTypes) {
  const DeviceMemory four = device_->allocate(Dtype::float32, 4);
  const DeviceMemory whole = device_->allocate(Dtype::int32, 4);
  EXPECT_THROW(stream_->add(four.elements, four.elements.part({.count = 3})), InternalError);
  EXPECT_THROW(stream_->add(four.elements, whole.elements), InternalError);
  EXPECT_THROW(static_cast<void>(four.elements.part({.first = 2, .count = 3})), InternalError);
}

TEST_P(OnDevice, MemoryIsZeroAtFirstAndWhenCleared) {
  const DeviceMemory memory = device_->allocate(Dtype::int64, 1000);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  EXPECT_TRUE(std::ranges::all_of(on_host(memory.elements).elements.bytes(), is_zero));
  const DeviceMemory filled = on_device(some_numbers(Dtype::int64, 1000, 99, 5).elements());
  EXPECT_FALSE(std::ranges::all_of(on_host(filled.elements).elements.bytes(), is_zero));
  stream_->clear(filled.elements);
  EXPECT_TRUE(std::ranges::all_of(on_host(filled.elements).elements.bytes(), is_zero));
}

TEST_P(OnDevice, CopiesWithinTheDevice) {
  const ElementBuffer numbers = some_numbers(Dtype::float64, 100, 1000, 6);
  const DeviceMemory from = on_device(numbers.elements());
  const DeviceMemory to = device_->allocate(Dtype::float64, 50);
  stream_->copy_within(to.elements, from.elements.part({.first = 20, .count = 50}));
  EXPECT_TRUE(std::ranges::equal(on_host(to.elements).elements.bytes(),
                                 numbers.elements().bytes({.first = 20, .count = 50})));
}

/// Ranks 0 and 1 contribute to all elements, rank 2 to the first half; of bytes one rank to each.
Goal goal_of(Dtype type, std::size_t elements) {
  const std::size_t half = elements / 2;
  if (type == Dtype::byte) {
    return {.elements = elements,
            .begins = {{{0, half}}, {{half, elements - half}}},
            .ends = {{{0, elements}}, {{0, elements}}}};
  }
  return {.elements = elements,
          .begins = {{{0, elements}}, {{0, elements}}, {{0, half}}},
          .ends = {{{0, elements}}, {{0, elements}}, {{0, elements}}}};
}

// Of every type, each rank's part, which does not begin at a vector: gradient[e] = value(rank, e).
TEST_P(OnDevice, FillsAsThePatternDoes) {
  for (const Dtype type : {Dtype::float32, Dtype::float64, Dtype::float16, Dtype::bfloat16,
                           Dtype::int32, Dtype::int64, Dtype::byte}) {
    const Goal goal = goal_of(type, 2003);
    Pattern pattern(goal, 77, type);
    pattern.turn_to(5);
    for (std::size_t i = 0; i < goal.begins.size(); ++i) {
      const Extent whole = goal.begins[i].front();
      const Extent part{.first = whole.first + 7, .count = whole.count - 7};
      const DeviceMemory filled = device_->allocate(type, part.count);
      fill(*stream_, filled.elements, pattern, Rank(i), part.first);
      const ElementBuffer expected(type, part.count);
      pattern.fill(expected.elements(), Rank(i), part.first);
      EXPECT_TRUE(std::ranges::equal(on_host(filled.elements).elements.bytes(),
                                     expected.elements().bytes()))
          << to_string(type) << ", rank " << i;
      EXPECT_EQ(find_damaged(*stream_, filled.elements, pattern, Rank(i), part.first),
                std::nullopt);
    }
  }
}

// The sums of all ranks' gradients, added on the device, are what the pattern says, element for
// element; one that is not is counted, and the first of several found.
TEST_P(OnDevice, CountsWhatIsWrong) {
  constexpr std::size_t kCount = 3001;
  for (const Dtype type : kAdded) {
    const Goal goal = goal_of(type, kCount);
    const Pattern pattern(goal, 3, type);
    const DeviceMemory sums = device_->allocate(type, kCount);
    const DeviceMemory terms = device_->allocate(type, kCount);
    for (std::size_t i = 0; i < goal.begins.size(); ++i) {
      const Extent whole = goal.begins[i].front();
      fill(*stream_, terms.elements.part(whole), pattern, Rank(i), whole.first);
      stream_->add(sums.elements.part(whole), terms.elements.part(whole));
    }
    EXPECT_EQ(count_wrong(*stream_, sums.elements, pattern, 0), 0u) << to_string(type);
    // What every rank contributes to some element is 0, so as good as cleared.
    std::size_t expected = 0;
    for (const std::size_t e : {5u, 1502u, 3000u}) {
      stream_->clear(sums.elements.part({.first = e, .count = 1}));
      expected += pattern.sum(e) != 0 ? 1 : 0;
    }
    EXPECT_EQ(count_wrong(*stream_, sums.elements, pattern, 0), expected) << to_string(type);
    EXPECT_GT(expected, 0u);
  }
}

TEST_P(OnDevice, FindsTheFirstThatIsDamaged) {
  const std::vector<Rank> ranks{Rank(0), Rank(1)};
  const Pattern pattern(ranks, 1);
  const ElementBuffer filled(Dtype::float32, 100'000);
  pattern.fill(filled.elements(), Rank(1));
  filled.elements().as<float>()[99'999] += 1;
  filled.elements().as<float>()[70'001] = std::numeric_limits<float>::quiet_NaN();
  const DeviceMemory memory = on_device(filled.elements());
  EXPECT_EQ(find_damaged(*stream_, memory.elements, pattern, Rank(1), 0), 70'001u);
  const DeviceElements behind = memory.elements.part({.first = 70'002, .count = 29'998});
  EXPECT_EQ(find_damaged(*stream_, behind, pattern, Rank(1), 70'002), 99'999u);
}

TEST_P(OnDevice, MarksAreDoneWhenWhatStandsBeforeThemIs) {
  const ElementBuffer numbers = some_numbers(Dtype::float32, 100'000, 1000, 8);
  const DeviceMemory from = on_device(numbers.elements());
  const PinnedMemory to = device_->allocate_pinned(Dtype::float32, 100'000);
  stream_->copy_out(to.elements, from.elements);
  stream_->mark(3);
  while (!stream_->is_done(3)) {
  }
  EXPECT_TRUE(std::ranges::equal(to.elements.bytes(), numbers.elements().bytes()));
}

// The host's instructions cannot read what lies on a stand-in: nor can the kernel for them.
TEST(StandIn, IsOutOfTheHostsReach) {
  StandInDevice device(Pace::when_asked);
  const DeviceMemory memory = device.allocate(Dtype::float32, 1000);
  const Pipe pipe = make_pipe();
  EXPECT_EQ(::write(pipe.write.get(), memory.elements.address(), 4), -1);
  EXPECT_EQ(errno, EFAULT);
}

TEST(StandIn, ThatIsNotAskedDoesNothing) {
  StandInDevice device(Pace::when_asked);
  const auto stream = device.make_stream(1);
  const DeviceMemory memory = device.allocate(Dtype::float32, 1);
  const PinnedMemory pinned = device.allocate_pinned(Dtype::float32, 1);
  pinned.elements.as<float>()[0] = 7;
  stream->copy_in(memory.elements, pinned.elements);
  pinned.elements.as<float>()[0] = 8;  // too early: the copy has not read it
  stream->mark(0);
  EXPECT_EQ(device.reach(memory.elements).as<float>()[0], 0);
  EXPECT_FALSE(stream->is_done(0));  // has copied, and not yet come to the mark
  EXPECT_TRUE(stream->is_done(0));
  EXPECT_EQ(device.reach(memory.elements).as<float>()[0], 8);
}

TEST(StandIn, RefusesAddressesOfTheHost) {
  StandInDevice device(Pace::when_asked);
  const auto stream = device.make_stream(0);
  float mine = 0;
  EXPECT_THROW(stream->clear({reinterpret_cast<std::byte*>(&mine), 1, Dtype::float32}),
               DeviceError);
}

}  // namespace
}  // namespace gradwire::transport::device
