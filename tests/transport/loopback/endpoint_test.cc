#include "transport/loopback/endpoint.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gradwire::transport::loopback {
namespace {

using namespace std::chrono_literals;

/// The machine's clock, on which something happens whenever it is read.
class EventfulClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override {
    if (on_read) on_read();
    return SteadyClock().now();
  }
  std::function<void()> on_read;
};

/// An endpoint that has sent two elements through channel 0, and waits for two that come through
/// channel 1 in an hour. Where it looks at channel 1, it has looked at channel 0 already.
class Sent {
 public:
  Sent() {
    for (const auto& pipe : {out_, idle_in_, idle_out_, late_}) {
      pipe->attach_sender(bell_);
      pipe->attach_receiver(bell_);
    }
    std::vector<LoopbackEndpoint::Channel> channels;
    channels.push_back(
        {.out = out_, .in = idle_in_, .sends = PostedQueue(1), .receives = PostedQueue(1)});
    channels.push_back(
        {.out = idle_out_, .in = late_, .sends = PostedQueue(1), .receives = PostedQueue(1)});
    endpoint_ = std::make_unique<LoopbackEndpoint>(memory_.elements(), std::move(channels), bell_,
                                                   cancellation_, steady_);
    endpoint_->post_send(0, {.what = {.first = 0, .count = 2}, .operation = 5});
    endpoint_->post_receive(1, {.first = 2, .count = 2}, Combine::replace, 6);
    late_->offer(memory_.elements());
  }

  /// Waits. While it looks, the peer of channel 0 takes so many elements and goes.
  std::vector<Progress> wait_while_peer_goes(std::size_t taking) {
    clock_.on_read = [this, taking] {
      clock_.on_read = nullptr;
      if (taking > 0) out_->consume(out_->available(taking).size());
      out_->close();
    };
    const auto progress = endpoint_->wait(Deadline(steady_, 10s));
    return {progress.begin(), progress.end()};
  }

 private:
  SteadyClock steady_;
  EventfulClock clock_;
  ElementBuffer memory_{Dtype::float32, 4};
  Cancellation cancellation_;
  std::shared_ptr<const Bell> bell_ = std::make_shared<Bell>();
  std::shared_ptr<Pipe> out_ = std::make_shared<Pipe>(1, Fault{}, steady_);
  std::shared_ptr<Pipe> idle_in_ = std::make_shared<Pipe>(1, Fault{}, steady_);
  std::shared_ptr<Pipe> idle_out_ = std::make_shared<Pipe>(1, Fault{}, steady_);
  std::shared_ptr<Pipe> late_ =
      std::make_shared<Pipe>(1, Fault{.kind = Fault::Kind::delay, .delay = 1h}, clock_);
  std::unique_ptr<LoopbackEndpoint> endpoint_;
};

TEST(LoopbackEndpoint, APeerThatHasTakenAllMayGo) {
  const auto progress = Sent().wait_while_peer_goes(2);
  ASSERT_EQ(progress.size(), 1u);
  EXPECT_EQ(progress[0].operation, 5u);
  EXPECT_EQ(progress[0].elements, 2u);
}

TEST(LoopbackEndpoint, APeerThatHasNotTakenAllMayNot) {
  EXPECT_THROW(Sent().wait_while_peer_goes(0), ChannelError);
}

}  // namespace
}  // namespace gradwire::transport::loopback
