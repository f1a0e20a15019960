#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/goal.h"
#include "tests/transport/device/plans_on_device.h"
#include "tests/transport/rank_group.h"
#include "transport/cuda/open.h"
#include "transport/device/stand_in.h"
#include "transport/ucx/connect.h"
#include "transport/verbs/connect.h"

/// Real Plans on gradients in the memory of devices whose addresses UCX or an RDMA device is handed. A
/// stand-in's are the host's, for these; that it adds beside the host, and must be waited for, is as on a GPU.
namespace gradwire::transport::device {
namespace {

/// A library that is handed each rank's gradient.
template <class HandedOver>
struct Handed {
  Handed(std::size_t ranks, Device& on) : device(on), gradients(ranks) {}

  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    DeviceMemory& gradient = gradients[rank.self.index()];
    gradient = device.allocate(rank.gradient.type(), rank.gradient.size());
    Bootstrap without = rank;
    without.gradient = {};
    return HandedOver::connect(without, {device, gradient.elements, rank.clock});
  }

  Device& device;
  std::vector<DeviceMemory> gradients;  ///< by rank
};

/// UCX's TCP on the loopback interface.
struct OverUcx {
  static std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank,
                                                        const DeviceGradient& gradient) {
    const std::vector<PortBinding> ports(4, {.device = "lo", .address = "127.0.0.1"});
    return ucx::connect(transport::testing::with_ports(rank, ports), {.segment = 1000, .window = 3},
                        gradient);
  }
};

/// The RDMA ports that the environment names.
struct OverVerbs {
  static std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank,
                                                        const DeviceGradient& gradient) {
    namespace testing = transport::testing;
    testing::enter_rdma_namespace(rank.self.index());
    const auto ports = testing::rdma_ports_of(testing::rdma_ports(), rank.self.index(), 4);
    return verbs::connect(testing::with_ports(rank, ports),
                          {.path = {.ack_timeout = 20}, .segment_bytes = 1000, .staging_slots = 4},
                          gradient);
  }
};

enum class HandedOver { ucx, verbs };

class HandedPlans : public ::testing::TestWithParam<std::tuple<Pace, HandedOver>> {
 protected:
  void SetUp() override {
    namespace testing = transport::testing;
    const std::string missing =
        over() == HandedOver::ucx ? testing::Ucx::missing() : testing::Verbs::missing();
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
  [[nodiscard]] HandedOver over() const { return std::get<1>(GetParam()); }
  [[nodiscard]] CountWrong counter() {
    return [this](std::span<const Plan> plans, const Goal& goal, Dtype type) {
      if (over() == HandedOver::ucx)
        return wrong_elements<Handed<OverUcx>>(device_, plans, goal, type);
      return wrong_elements<Handed<OverVerbs>>(device_, plans, goal, type);
    };
  }

  StandInDevice device_{std::get<0>(GetParam()), Reach::host};
};

std::string name_of_handed(const ::testing::TestParamInfo<HandedPlans::ParamType>& info) {
  const std::string pace =
      std::get<0>(info.param) == Pace::beside ? "StandInBeside" : "StandInWhenAsked";
  return pace + (std::get<1>(info.param) == HandedOver::ucx ? "Ucx" : "Verbs");
}
INSTANTIATE_TEST_SUITE_P(Devices, HandedPlans,
                         ::testing::Combine(::testing::Values(Pace::beside, Pace::when_asked),
                                            ::testing::Values(HandedOver::ucx, HandedOver::verbs)),
                         name_of_handed);

TEST_P(HandedPlans, Ring) {
  expect_exact_rings(counter());
}

TEST_P(HandedPlans, ParameterServer) {
  expect_exact_parameter_servers(counter());
}

// Lanes have staging memory and a stream of their own.
TEST_P(HandedPlans, Bml) {
  expect_exact_bml(counter());
}

TEST_P(HandedPlans, EveryType) {
  expect_exact_types(counter());
}

TEST(UcxAndCuda, TakesNoCudaMemoryWhereThereIsNoGpu) {
  if (cuda::describe_gpu().starts_with("usable")) GTEST_SKIP() << "there is a GPU";
  EXPECT_FALSE(ucx::takes_cuda_memory());
}

}  // namespace
}  // namespace gradwire::transport::device
