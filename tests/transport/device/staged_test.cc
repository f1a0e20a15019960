#include "transport/device/staged.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "bml/plan.h"
#include "core/goal.h"
#include "ps/plan.h"
#include "ringallreduce/plan.h"
#include "tests/transport/device/devices.h"
#include "tests/transport/device/plans_on_device.h"
#include "tests/transport/device/staged_transport.h"
#include "tests/transport/rank_group.h"
#include "topologies/registry.h"

/// Real Plans on gradients in the memory of devices, over transports that are staged: every element of
/// every rank ends as the exact sum.
namespace gradwire::transport::device {
namespace {

enum class Over { loopback, tcp, ucx };

class StagedPlans : public ::testing::TestWithParam<std::tuple<TestDevice, Over>> {
 protected:
  void SetUp() override {
    device_ = make_device(std::get<0>(GetParam()));
    if (!device_) GTEST_SKIP() << "NOT RUN on a GPU: " << cuda::describe_gpu();
    const std::string missing = over() == Over::ucx ? transport::testing::Ucx::missing() : "";
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
  [[nodiscard]] Over over() const { return std::get<1>(GetParam()); }
  [[nodiscard]] std::size_t wrong(std::span<const Plan> plans, const Goal& goal,
                                  Dtype type = Dtype::float32) const {
    namespace testing = transport::testing;
    if (over() == Over::ucx)
      return wrong_elements<Staged<testing::Ucx>>(*device_, plans, goal, type);
    if (over() == Over::tcp)
      return wrong_elements<Staged<testing::Tcp>>(*device_, plans, goal, type);
    return wrong_elements<Staged<testing::Loopback>>(*device_, plans, goal, type);
  }

  std::unique_ptr<Device> device_;
};

std::string name_of(const ::testing::TestParamInfo<StagedPlans::ParamType>& info) {
  static constexpr const char* kNames[] = {"Loopback", "Tcp", "Ucx"};
  return to_string(std::get<0>(info.param)) +
         kNames[static_cast<std::size_t>(std::get<1>(info.param))];
}
INSTANTIATE_TEST_SUITE_P(Devices, StagedPlans,
                         ::testing::Combine(kAllDevices, ::testing::Values(Over::loopback,
                                                                           Over::tcp, Over::ucx)),
                         name_of);

// None, fewer than a vector, one piece, and many that are not whole.
constexpr std::size_t kCounts[] = {0, 1, 7, 250, 20'011};

TEST_P(StagedPlans, Ring) {
  const auto topology = topologies::make_topology("single-switch(3)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(3, [&](Rank rank) {
      return ringallreduce::plan(*topology, rank, elements, {.pieces = 1 + elements % 3});
    });
    EXPECT_EQ(wrong(plans, all_reduce(3, elements)), 0u) << elements;
  }
}

// A server's receives of one extent from several peers are under way at once, and add to it.
TEST_P(StagedPlans, ParameterServer) {
  const auto topology = topologies::make_topology("single-switch(4)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(4, [&](Rank rank) { return ps::plan(*topology, rank, elements); });
    EXPECT_EQ(wrong(plans, all_reduce(4, elements)), 0u) << elements;
  }
}

// Two lanes, each with streams of its own.
TEST_P(StagedPlans, Bml) {
  const auto topology = topologies::make_topology("bcube(2,2)");
  for (const std::size_t elements : kCounts) {
    const auto plans = plans_of(4, [&](Rank rank) { return bml::plan(*topology, rank, elements); });
    EXPECT_EQ(wrong(plans, all_reduce(4, elements)), 0u) << elements;
  }
}

TEST_P(StagedPlans, EveryType) {
  constexpr std::size_t kElements = 3001;
  const auto topology = topologies::make_topology("single-switch(3)");
  for (const Dtype type :
       {Dtype::float64, Dtype::float16, Dtype::bfloat16, Dtype::int32, Dtype::int64}) {
    const auto plans =
        plans_of(3, [&](Rank rank) { return ringallreduce::plan(*topology, rank, kElements); });
    EXPECT_EQ(wrong(plans, all_reduce(3, kElements), type), 0u) << to_string(type);
  }
}

// A gradient of 7 elements in pieces of 3: both ends cut alike, and nothing is lost or added.
TEST(InPieces, CutsEveryOperation) {
  const Peer peer{.rank = Rank(1), .via = Port(0), .at = Port(0)};
  const Plan plan{.lanes = {{{.sends = {{.to = peer, .what = {.first = 4, .count = 7}}},
                              .recvs = {{.from = peer, .where = {.first = 0, .count = 3}}}}}}};
  const Plan cut = in_pieces(plan, 3);
  const Step& step = cut.lanes[0][0];
  ASSERT_EQ(step.sends.size(), 3u);
  EXPECT_EQ(step.sends[0].what, (Extent{.count = 3}));
  EXPECT_EQ(step.sends[2].what, (Extent{.count = 1}));
  ASSERT_EQ(step.recvs.size(), 1u);
  EXPECT_EQ(step.recvs[0].how, Combine::replace);
  EXPECT_EQ(step.sends[0].to, peer);
}

}  // namespace
}  // namespace gradwire::transport::device
