#include "transport/tcp/endpoint.h"

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "tests/transport/sockets.h"

/// How sends of one rank to several peers share its time.
namespace gradwire::transport::tcp {
namespace {

constexpr std::size_t kStreamed = 1 << 20;  // of each of two sends: many times what a socket takes
constexpr std::size_t kBytes = kStreamed * sizeof(float);
constexpr std::size_t kSmall = 8 * 1024;  // elements: 32 KiB, less than a send may be ahead
constexpr std::size_t kPosted = 8;        // at a time
/// What a send may be ahead of another, and what one call hands to the kernel at most.
constexpr std::size_t kMostAhead = 64 * 1024 + kFrameBytes + kCheckBytes;

/// Sends the halves of a gradient to two peers.
class TcpAbreast : public ::testing::Test {
 protected:
  TcpAbreast() {
    std::vector<TcpEndpoint::Channel> channels;
    for (FileDescriptor& peer : peers_) {
      transport::testing::SocketPair connection;
      peer = std::move(connection.theirs);
      channels.push_back(transport::testing::channel_of(std::move(connection.ours), true));
    }
    endpoint_.emplace(std::span(gradient_), std::move(channels), cancellation_);
  }

  void post(std::size_t peer, std::size_t step) {
    endpoint_->post_send(
        peer,
        {.what = {.first = peer * kStreamed, .count = kStreamed}, .operation = peer, .step = step});
  }

  /// Moves what can be moved while peer 1 reads all that it is sent, and peer 0 nothing. Each wait ends
  /// when nothing has been ready for `patience` of `clock`.
  void move(const Clock& clock, Nanoseconds patience) {
    move(clock, patience,
         [&](const Progress& progress) { sent_.at(progress.operation) = progress.elements; });
  }
  /// The same, but nothing is ever waited for.
  void move_what_can() { move(ManualClock(), Nanoseconds::zero()); }
  /// The same to peer 1 in messages of kSmall elements, of which kPosted are posted at any time.
  void move_small_ones(std::size_t step) {
    const auto post_one = [&] {
      endpoint_->post_send(
          1, {.what = {.first = kStreamed, .count = kSmall}, .operation = 1, .step = step});
    };
    for (std::size_t i = 0; i < kPosted; ++i) post_one();
    move(ManualClock(), Nanoseconds::zero(), [&](const Progress& progress) {
      if (progress.operation != 1 || progress.elements < kSmall) return;
      sent_.at(1) += kSmall;
      post_one();
    });
  }

  /// The peer of whose send the endpoint says first that something has moved.
  [[nodiscard]] std::size_t first_to_move() {
    return endpoint_->wait(Deadline(ManualClock(), Nanoseconds::zero())).front().operation;
  }

  [[nodiscard]] std::size_t bytes_sent(std::size_t peer) const {
    return sent_.at(peer) * sizeof(float);
  }
  [[nodiscard]] bool is_done(std::size_t peer) const { return sent_.at(peer) == kStreamed; }
  /// Whether there was anything.
  bool read_all(std::size_t peer) {
    std::vector<std::byte> into(1 << 16);
    bool any = false;
    while (::recv(peers_.at(peer).get(), into.data(), into.size(), 0) > 0) any = true;
    return any;
  }

 private:
  /// Moves as above, and calls `note` with all progress.
  void move(const Clock& clock, Nanoseconds patience,
            const std::function<void(const Progress&)>& note) {
    bool moves = true;
    while (moves && !is_done(1)) {
      moves = read_all(1);
      for (const Progress& progress : endpoint_->wait(Deadline(clock, patience))) {
        moves = true;
        note(progress);
      }
    }
  }

  std::vector<float> gradient_ = std::vector<float>(2 * kStreamed);
  std::array<FileDescriptor, 2> peers_;
  std::array<std::size_t, 2> sent_{};  ///< elements
  Cancellation cancellation_;
  std::optional<TcpEndpoint> endpoint_;
};

// Both may send; a channel's number says nothing.
TEST_F(TcpAbreast, SendsBeginInTheOrderInWhichTheyWerePosted) {
  post(1, 3);
  post(0, 3);
  EXPECT_EQ(first_to_move(), 1U);
}

// Sent in each call at most a frame: sent(1) <= sent(0) + 64 KiB + a frame, and the rest waits.
TEST_F(TcpAbreast, ASendWaitsForThoseOfItsStep) {
  post(0, 3);
  post(1, 3);
  move_what_can();
  EXPECT_GT(bytes_sent(0), 0U);
  EXPECT_LE(bytes_sent(1), bytes_sent(0) + kMostAhead);
  EXPECT_LT(bytes_sent(1), kBytes / 2);
}

TEST_F(TcpAbreast, ItGoesOnWithThem) {
  post(0, 3);
  post(1, 3);
  for (int i = 0; i < 1000 && !is_done(1); ++i) {
    move_what_can();
    read_all(0);
  }
  EXPECT_TRUE(is_done(1));
  EXPECT_GE(bytes_sent(0) + kMostAhead, kBytes);
}

// What is through counts: each message alone is too short to be ahead.
TEST_F(TcpAbreast, ManySendsOfAStepWaitAsOneDoes) {
  post(0, 3);
  move_small_ones(3);
  EXPECT_LT(bytes_sent(1), kBytes / 2);
}

// Or ranks could wait for each other in a circle.
TEST_F(TcpAbreast, NoSendWaitsForOneOfAnotherStep) {
  post(0, 3);
  post(1, 4);
  move_what_can();
  EXPECT_TRUE(is_done(1));
}
TEST_F(TcpAbreast, NoSendWaitsForOneOfALaterStep) {
  post(0, 4);
  post(1, 3);
  move_what_can();
  EXPECT_TRUE(is_done(1));
}

// 320 KiB over the rate, which at 500 Mbit/s is 5.24 ms, and 5 ms at least: with a rate as much lower as time is dilated,
// patience is as much longer.
TEST(HoldPatience, IsOfTwoSendsOnALink) {
  using std::chrono::microseconds;
  EXPECT_EQ(round<microseconds>(hold_patience({5e8})), microseconds(5243));
  EXPECT_EQ(round<microseconds>(hold_patience({1e8})), microseconds(26214));
  EXPECT_EQ(hold_patience({1e9}), microseconds(5000));
  EXPECT_EQ(hold_patience(kUnlimited), microseconds(5000));
}

// Else all peers of a rank would seem to hang when one does.
TEST_F(TcpAbreast, NoSendWaitsLongForOneThatDoesNotMoveAtAll) {
  post(0, 3);
  post(1, 3);
  move(SteadyClock(), std::chrono::seconds(20));
  EXPECT_TRUE(is_done(1));
  EXPECT_FALSE(is_done(0));
}

}  // namespace
}  // namespace gradwire::transport::tcp
