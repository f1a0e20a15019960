#include "transport/device/staged.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/goal.h"
#include "tests/transport/device/devices.h"
#include "tests/transport/device/plans_on_device.h"
#include "tests/transport/device/staged_transport.h"
#include "tests/transport/rank_group.h"

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
  [[nodiscard]] CountWrong counter() const {
    return [this](std::span<const Plan> plans, const Goal& goal, Dtype type) {
      namespace testing = transport::testing;
      if (over() == Over::ucx)
        return wrong_elements<Staged<testing::Ucx>>(*device_, plans, goal, type);
      if (over() == Over::tcp)
        return wrong_elements<Staged<testing::Tcp>>(*device_, plans, goal, type);
      return wrong_elements<Staged<testing::Loopback>>(*device_, plans, goal, type);
    };
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

TEST_P(StagedPlans, Ring) {
  expect_exact_rings(counter());
}

TEST_P(StagedPlans, ParameterServer) {
  expect_exact_parameter_servers(counter());
}

// Lanes have streams of their own.
TEST_P(StagedPlans, Bml) {
  expect_exact_bml(counter());
}

TEST_P(StagedPlans, EveryType) {
  expect_exact_types(counter());
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
