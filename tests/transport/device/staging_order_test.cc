#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "core/clock.h"
#include "transport/device/staged.h"

/// That copying one piece overlaps with sending another, by the order in which things are begun: the
/// device copies, and the transport moves, only what a test lets them.
namespace gradwire::transport::device {
namespace {

using Log = std::vector<std::string>;

/// Its copies are done when a test says so.
class HandStream final : public Stream {
 public:
  explicit HandStream(Log& log) : log_(log) {}

  void copy_out(Elements, DeviceElements from) override { note("copy out", from.size()); }
  void copy_in(DeviceElements to, Elements) override { note("copy in", to.size()); }
  void add(DeviceElements sums, DeviceElements) override { note("add", sums.size()); }
  void copy_within(DeviceElements, DeviceElements) override {}
  void clear(DeviceElements) override {}
  void fill(DeviceElements, const PatternRun&) override {}
  [[nodiscard]] Unlike compare(DeviceElements, const PatternRun&) override { return {}; }
  void mark(std::size_t event) override { waiting_.push_back(event); }
  [[nodiscard]] bool is_done(std::size_t event) override {
    return std::ranges::find(waiting_, event) == waiting_.end();
  }
  void synchronize() override { waiting_.clear(); }

  /// Does what stands before the oldest mark.
  void finish_one() { waiting_.erase(waiting_.begin()); }

 private:
  void note(const char* what, std::size_t elements) {
    log_.push_back(fmt::format("{} {}", what, elements));
  }

  Log& log_;
  std::vector<std::size_t> waiting_;
};

/// In the host's memory.
class HandDevice final : public Device {
 public:
  explicit HandDevice(Log& log) : log_(log) {}

  [[nodiscard]] std::string name() const override { return "by hand"; }
  [[nodiscard]] DeviceMemory allocate(Dtype type, std::size_t count) override {
    const PinnedMemory memory = allocate_pinned(type, count);
    return {.owner = memory.owner, .elements = {memory.elements.bytes().data(), count, type}};
  }
  [[nodiscard]] PinnedMemory allocate_pinned(Dtype type, std::size_t count) override {
    auto buffer = std::make_shared<ElementBuffer>(type, count);
    const Elements elements = buffer->elements();
    return {.owner = std::move(buffer), .elements = elements};
  }
  [[nodiscard]] std::unique_ptr<Stream> make_stream(std::size_t) override {
    auto stream = std::make_unique<HandStream>(log_);
    streams.push_back(stream.get());
    return stream;
  }

  std::vector<HandStream*> streams;  ///< of a lane: out, then in

 private:
  Log& log_;
};

/// A transport that moves what a test says.
class HandEndpoint final : public Endpoint {
 public:
  explicit HandEndpoint(Log& log) : log_(log) {}

  void post_send(std::size_t, const SendRequest& request) override {
    log_.push_back(fmt::format("send {}", request.what.count));
    sends.push_back({.operation = request.operation, .elements = request.what.count});
  }
  void post_receive(std::size_t, Extent where, Combine, std::size_t operation) override {
    log_.push_back(fmt::format("receive {}", where.count));
    receives.push_back({.operation = operation, .elements = where.count});
  }
  [[nodiscard]] std::span<const Progress> wait(const Deadline&) override {
    told_ = std::exchange(moved_, {});
    return told_;
  }

  /// Says in the next wait that the oldest of these has moved as a whole, or so many elements of it.
  void finish_one(std::vector<Progress>& posted) {
    moved_.push_back(posted.front());
    posted.erase(posted.begin());
  }
  void move_some(const std::vector<Progress>& posted, std::size_t elements) {
    moved_.push_back({.operation = posted.front().operation, .elements = elements});
  }

  std::vector<Progress> sends;
  std::vector<Progress> receives;

 private:
  Log& log_;
  std::vector<Progress> moved_;
  std::vector<Progress> told_;
};

class StagingOrder : public ::testing::Test {
 protected:
  static constexpr std::size_t kElements = 1000;
  static constexpr Peer kPeer{.rank = Rank(1), .via = Port(0), .at = Port(0)};

  /// One lane that sends and receives, in pieces of 100 elements, two under way at a time.
  void connect(Combine how) {
    gradient_ = device_.allocate(Dtype::float32, kElements);
    const Extent all{.count = kElements};
    const Plan plan{.lanes = {{{.sends = {{kPeer, all}}, .recvs = {{kPeer, all, how}}}}}};
    const auto connect_over = [&](const Plan&, Elements) {
      auto over = std::make_unique<HandEndpoint>(log_);
      over_ = over.get();
      std::vector<std::unique_ptr<Endpoint>> lanes;
      lanes.push_back(std::move(over));
      return lanes;
    };
    staged_ = std::move(connect_staged(plan, {device_, gradient_.elements, clock_}, connect_over,
                                       {.piece_bytes = 400, .slots = 2})
                            .front());
  }
  /// What a wait that may not block says of the only operation that moved; nothing when none did.
  std::optional<std::size_t> elements_done() {
    const auto moved = staged_->wait(Deadline(clock_, Nanoseconds::zero()));
    if (moved.empty()) return std::nullopt;
    EXPECT_EQ(moved.size(), 1u);
    EXPECT_EQ(moved[0].operation, 0u);
    return moved[0].elements;
  }
  [[nodiscard]] HandStream& out() { return *device_.streams.at(0); }
  [[nodiscard]] HandStream& in() { return *device_.streams.at(1); }

  Log log_;
  ManualClock clock_;
  HandDevice device_{log_};
  DeviceMemory gradient_;
  HandEndpoint* over_ = nullptr;
  std::unique_ptr<Endpoint> staged_;
};

TEST_F(StagingOrder, ASendIsCopiedWhileThePieceBeforeItIsSent) {
  connect(Combine::replace);
  staged_->post_send(0, {.what = {.first = 10, .count = 330}});
  EXPECT_EQ(log_, (Log{"copy out 100", "copy out 100"})) << "as many as there are slots";
  EXPECT_EQ(elements_done(), std::nullopt) << "nothing is sent that is not copied";
  EXPECT_EQ(log_.size(), 2u);
  out().finish_one();
  EXPECT_EQ(elements_done(), std::nullopt);
  EXPECT_EQ(log_.back(), "send 100") << "the first, while the second is being copied";
  over_->finish_one(over_->sends);
  EXPECT_EQ(elements_done(), 100u);
  EXPECT_EQ(log_.back(), "copy out 100") << "the third, into the slot of the first";
  EXPECT_EQ(log_.size(), 4u);
  out().finish_one();
  out().finish_one();
  EXPECT_EQ(elements_done(), std::nullopt);
  EXPECT_EQ(log_.size(), 6u) << "two sends at once, no slot for the fourth";
  over_->move_some(over_->sends, 40);
  EXPECT_EQ(elements_done(), 140u);
  over_->finish_one(over_->sends);
  over_->finish_one(over_->sends);
  EXPECT_EQ(elements_done(), 300u);
  EXPECT_EQ(log_.back(), "copy out 30");
  out().finish_one();
  EXPECT_EQ(elements_done(), std::nullopt);
  over_->finish_one(over_->sends);
  EXPECT_EQ(elements_done(), 330u);
}

TEST_F(StagingOrder, AReceiveIsAddedWhileTheNextArrives) {
  connect(Combine::add);
  staged_->post_receive(0, {.first = 3, .count = 250}, Combine::add, 0);
  EXPECT_EQ(log_, (Log{"receive 100", "receive 100"})) << "as many as there are slots";
  over_->finish_one(over_->receives);
  EXPECT_EQ(elements_done(), 0u) << "something moved, and nothing is added";
  EXPECT_EQ(log_, (Log{"receive 100", "receive 100", "copy in 100", "add 100"}));
  over_->move_some(over_->receives, 50);
  EXPECT_EQ(elements_done(), 0u) << "the second arrives, and the first is still not added";
  over_->finish_one(over_->receives);
  EXPECT_EQ(elements_done(), 0u);
  EXPECT_EQ(log_.size(), 6u) << "both are being added, and no slot is free";
  in().finish_one();
  EXPECT_EQ(elements_done(), 100u);
  EXPECT_EQ(log_.back(), "receive 50");
  in().finish_one();
  EXPECT_EQ(elements_done(), 200u);
  over_->finish_one(over_->receives);
  EXPECT_EQ(elements_done(), 200u);
  in().finish_one();
  EXPECT_EQ(elements_done(), 250u);
}

TEST_F(StagingOrder, AReceiveThatReplacesGoesStraightToItsPlace) {
  connect(Combine::replace);
  staged_->post_receive(0, {.count = 80}, Combine::replace, 0);
  over_->finish_one(over_->receives);
  EXPECT_EQ(elements_done(), 0u);
  EXPECT_EQ(log_, (Log{"receive 80", "copy in 80"}));
  in().finish_one();
  EXPECT_EQ(elements_done(), 80u);
}

// Pieces end with their operation: a message never has elements of two.
TEST_F(StagingOrder, OperationsShareSlotsAndNoPiece) {
  connect(Combine::replace);
  staged_->post_send(0, {.what = {.count = 20}});
  staged_->post_send(0, {.what = {.first = 20, .count = 120}, .operation = 1});
  EXPECT_EQ(log_, (Log{"copy out 20", "copy out 100"}));
  out().finish_one();
  EXPECT_EQ(elements_done(), std::nullopt);
  over_->finish_one(over_->sends);
  EXPECT_EQ(elements_done(), 20u);
  EXPECT_EQ(log_, (Log{"copy out 20", "copy out 100", "send 20", "copy out 20"}));
}

}  // namespace
}  // namespace gradwire::transport::device
