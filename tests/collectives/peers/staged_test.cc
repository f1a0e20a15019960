#include "collectives/peers/staged.h"

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectives/peers/on_device.h"
#include "transport/device/stand_in.h"

/// How a library's collective is cut, and in which order it is copied.
namespace gradwire::peers {
namespace {

using ::testing::ElementsAre;
using transport::device::DeviceElements;
using transport::device::DeviceMemory;
using transport::device::Pace;
using transport::device::StandInDevice;
using transport::device::Stream;
using transport::device::Unlike;

/// What was begun, in order.
using Log = std::vector<std::string>;

/// A stream of a stand-in that says what it is given, and when it is waited for.
class LoggedStream final : public Stream {
 public:
  LoggedStream(std::unique_ptr<Stream> over, Log& log) : over_(std::move(over)), log_(log) {}

  void copy_out(Elements to, DeviceElements from) override {
    log_.emplace_back("out");
    over_->copy_out(to, from);
  }
  void copy_in(DeviceElements to, Elements from) override {
    log_.emplace_back("in");
    over_->copy_in(to, from);
  }
  void copy_within(DeviceElements to, DeviceElements from) override {
    over_->copy_within(to, from);
  }
  void clear(DeviceElements elements) override { over_->clear(elements); }
  void add(DeviceElements sums, DeviceElements terms) override { over_->add(sums, terms); }
  void fill(DeviceElements elements, const PatternRun& run) override { over_->fill(elements, run); }
  [[nodiscard]] Unlike compare(DeviceElements elements, const PatternRun& run) override {
    return over_->compare(elements, run);
  }
  void mark(std::size_t event) override { over_->mark(event); }
  [[nodiscard]] bool is_done(std::size_t event) override { return over_->is_done(event); }
  void synchronize() override {
    log_.emplace_back("synchronize");
    over_->synchronize();
  }

 private:
  std::unique_ptr<Stream> over_;
  Log& log_;
};

/// A stand-in that does only what is waited for.
class LoggedDevice final : public transport::device::Device {
 public:
  [[nodiscard]] std::string name() const override { return over_.name(); }
  [[nodiscard]] DeviceMemory allocate(Dtype type, std::size_t count) override {
    return over_.allocate(type, count);
  }
  [[nodiscard]] transport::device::PinnedMemory allocate_pinned(Dtype type,
                                                                std::size_t count) override {
    return over_.allocate_pinned(type, count);
  }
  [[nodiscard]] std::unique_ptr<Stream> make_stream(std::size_t events) override {
    return std::make_unique<LoggedStream>(over_.make_stream(events), log);
  }
  /// The memory, as streams reach it.
  [[nodiscard]] std::span<float> memory_of(const DeviceElements& elements) const {
    return over_.reach(elements).as<float>();
  }

  Log log;

 private:
  StandInDevice over_{Pace::when_asked};
};

/// A library of one rank: adds 1 to each element.
class PlusOne final : public Collective {
 public:
  PlusOne(std::span<float> gradient, std::span<const Extent> extents, Log& log)
      : gradient_(gradient), extents_(extents.begin(), extents.end()), log_(log) {}

  void run(std::size_t extent) override {
    log_.push_back("run " + std::to_string(extent));
    const Extent& mine = extents_.at(extent);
    for (float& element : gradient_.subspan(mine.first, mine.count)) element += 1;
  }
  void put_in_place(std::size_t) override {}

 private:
  std::span<float> gradient_;
  std::vector<Extent> extents_;
  Log& log_;
};

const StagedTask kThreePieces{
    .what = What::all_reduce,
    .group = {.self = Rank(0), .ranks = 1},
    .pieces = {.least_bytes = 2 * sizeof(float), .most = 3},
};

// All pieces are on their way out before the library is called, and while it works on one, the one
// before it is on its way in: nobody waits for that before the end. Each is awaited before it is used:
// the stand-in copies nothing unasked, and element i ends as i + 1.
TEST(StagedLibrary, WorksOnAPieceWhileOthersAreCopied) {
  LoggedDevice device;
  const DeviceMemory memory = device.allocate(Dtype::float32, 7);
  const std::span<float> gradient = device.memory_of(memory.elements);
  std::iota(gradient.begin(), gradient.end(), 0.0F);
  const std::vector<Extent> extents{{0, 7}};
  const auto staged = connect_staged(device, memory.elements, extents, kThreePieces,
                                     [&](std::span<float> pinned, std::span<const Extent> pieces) {
                                       return std::make_unique<PlusOne>(pinned, pieces, device.log);
                                     });
  staged->run(0);
  EXPECT_THAT(device.log, ElementsAre("out", "out", "out", "run 0", "in", "run 1", "in", "run 2",
                                      "in", "synchronize"));
  EXPECT_THAT(gradient, ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

// Buckets are runs of their own, each with its own pieces.
TEST(StagedLibrary, RunsOneExtentAtATime) {
  LoggedDevice device;
  const DeviceMemory memory = device.allocate(Dtype::float32, 7);
  const std::vector<Extent> extents{{0, 3}, {3, 4}};
  const auto staged = connect_staged(device, memory.elements, extents, kThreePieces,
                                     [&](std::span<float> pinned, std::span<const Extent> pieces) {
                                       return std::make_unique<PlusOne>(pinned, pieces, device.log);
                                     });
  staged->run(1);
  EXPECT_THAT(device.log, ElementsAre("out", "out", "run 1", "in", "run 2", "in", "synchronize"));
  EXPECT_THAT(device.memory_of(memory.elements), ElementsAre(0, 0, 0, 1, 1, 1, 1));
  EXPECT_THROW(staged->run(2), InternalError);
}

// Of 4 MiB and more, eight at most; what has parts is never cut.
TEST(Pieces, AreFewAndLarge) {
  constexpr std::size_t kMiB = 1024 * 1024 / sizeof(float);
  const auto count = [](What what, std::size_t mebibytes) {
    const Extent whole{.first = 5, .count = mebibytes * kMiB + 1};
    const std::vector<Extent> pieces = pieces_of(whole, what, {});
    EXPECT_EQ(merged(pieces), (std::vector{whole}));
    return pieces.size();
  };
  EXPECT_EQ(count(What::all_reduce, 7), 1u);
  EXPECT_EQ(count(What::all_reduce, 8), 2u);
  EXPECT_EQ(count(What::broadcast, 31), 7u);
  EXPECT_EQ(count(What::reduce, 100), 8u);
  EXPECT_EQ(count(What::all_gather, 100), 1u);
  EXPECT_EQ(count(What::reduce_scatter, 100), 1u);
  EXPECT_EQ(count(What::all_to_all, 100), 1u);
  EXPECT_EQ(pieces_of({}, What::all_reduce, {}), (std::vector{Extent{}}));
}

}  // namespace
}  // namespace gradwire::peers
