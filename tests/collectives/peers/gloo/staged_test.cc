#include "collectives/peers/staged.h"

#include <memory>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/peers/gloo/connect.h"
#include "tests/collectives/peers/on_device.h"
#include "tests/harness/workers/rank/rank_threads.h"
#include "tests/transport/device/devices.h"
#include "transport/loopback/rendezvous.h"

/// Gloo, over the loopback interface, on gradients in the memory of devices.
namespace gradwire::peers::gloo {
namespace {

using namespace std::chrono_literals;
using transport::device::TestDevice;
using transport::loopback::LocalRendezvous;
using transport::loopback::MeetingPoint;

/// Wrong elements of all ranks, whose gradients lie on this device.
std::size_t wrong(transport::device::Device& device, std::size_t ranks, const StagedTask& common,
                  std::size_t elements, Algorithm algorithm = Algorithm::ring) {
  MeetingPoint meeting(ranks, 60s);
  std::vector<std::size_t> found(ranks);
  workers::testing::on_every_rank(ranks, [&](std::size_t i) {
    LocalRendezvous rendezvous(meeting, Rank(i));
    StagedTask task = common;
    task.group = {.self = Rank(i), .ranks = ranks};
    const ConnectOptions options{
        .what = task.what, .algorithm = algorithm, .self = Rank(i), .ranks = ranks, .timeout = 20s};
    found[i] = testing::wrong_on_device(
        device, task, elements,
        [&](std::span<float> gradient, std::span<const Extent> extents) {
          return connect(gradient, extents, {.device = "lo", .address = "127.0.0.1"}, rendezvous,
                         options);
        },
        [&] { rendezvous.barrier(); });
  });
  return std::reduce(found.begin(), found.end());
}

constexpr PieceOptions kSmallPieces{.least_bytes = 4000, .most = 5};

class GlooOnDevices : public ::testing::TestWithParam<TestDevice> {
 protected:
  void SetUp() override {
    device_ = make_device(GetParam());
    if (!device_) GTEST_SKIP() << "NOT RUN on a GPU: " << cuda::describe_gpu();
  }

  std::unique_ptr<transport::device::Device> device_;
};
INSTANTIATE_TEST_SUITE_P(Devices, GlooOnDevices, transport::device::kAllDevices,
                         transport::device::device_name);

// Every element that the goal gives to a rank is the exact sum, on the device: of one piece, and of as
// many as there may be, which are not equal.
TEST_P(GlooOnDevices, EveryCollectiveIsExact) {
  for (const std::string_view name : kWhats.names()) {
    const StagedTask task{.what = kWhats.find(name).value(), .pieces = kSmallPieces};
    for (const std::size_t elements : {std::size_t{7}, std::size_t{1000}, std::size_t{20'011}}) {
      EXPECT_EQ(wrong(*device_, 3, task, elements), 0u) << name << " of " << elements;
    }
  }
}

TEST_P(GlooOnDevices, EveryAlgorithmIsExact) {
  const StagedTask task{.what = What::all_reduce, .pieces = kSmallPieces};
  for (const NamedAlgorithm& named : algorithms()) {
    EXPECT_EQ(wrong(*device_, 4, task, 20'011, named.algorithm), 0u) << named.name;
  }
}

}  // namespace
}  // namespace gradwire::peers::gloo
