#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/collectives/algorithms/named.h"
#include "tests/harness/workers/rank/assignments.h"
#include "tests/transport/device/devices.h"
#include "topologies/registry.h"

/// Jobs with gradients in the memory of devices: ranks are threads, over TCP on the loopback interface.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
using transport::device::TestDevice;

constexpr std::size_t kElements = 300'001;  // several pieces, the last of which is no whole vector

Job job(const std::string& algorithm, const std::string& wiring, Dtype type) {
  const std::shared_ptr<const topologies::Topology> topology = topologies::make_topology(wiring);
  Job job{.task = {.wiring = topology,
                   .algorithm = algorithms::testing::named(algorithm, *topology),
                   .workload = workloads::Workload(workloads::Elements{kElements}),
                   .type = type},
          .memory = Memory::device,
          .key = {7},
          .seed = 3,
          .timeout = 20s};
  job.ports = testing::loopback_ports(*job.task.wiring);
  return job;
}

/// Runs two iterations on every rank, and sums what was wrong in each. Throws what the first rank that
/// failed threw.
std::int64_t wrong(const Job& common, transport::device::Device* device) {
  std::vector<std::int64_t> found(common.task.wiring->hosts());
  testing::on_every_assignment(
      common,
      [&](std::size_t i, Assignment& assignment) {
        for (std::size_t iteration = 0; iteration < 2; ++iteration) {
          const auto measured = assignment.iterate({.iteration = iteration, .check = true});
          found[i] += measured.wrong.value();
          EXPECT_GT(measured.end, measured.start);
        }
      },
      [&](std::size_t, const testing::OneRank& rank) { rank.device = device; });
  std::int64_t all = 0;
  for (const std::int64_t each : found) all += each;
  return all;
}

class DeviceAssignment : public ::testing::TestWithParam<TestDevice> {
 protected:
  void SetUp() override {
    device_ = make_device(GetParam());
    if (!device_) GTEST_SKIP() << "NOT RUN on a GPU: " << cuda::describe_gpu();
  }
  std::unique_ptr<transport::device::Device> device_;
};

INSTANTIATE_TEST_SUITE_P(Devices, DeviceAssignment, transport::device::kAllDevices,
                         transport::device::device_name);

// Every rank verifies every element of its sum, on the device.
TEST_P(DeviceAssignment, SumsAreExact) {
  for (const Dtype type : {Dtype::float32, Dtype::float16, Dtype::bfloat16, Dtype::int64}) {
    EXPECT_EQ(wrong(job("ring", "single-switch(3)", type), device_.get()), 0) << to_string(type);
    EXPECT_EQ(wrong(job("bml", "bcube(2,2)", type), device_.get()), 0) << to_string(type);
  }
  EXPECT_EQ(
      wrong(job("ps(servers=1, dedicated)", "single-switch(3)", Dtype::float32), device_.get()), 0);
}

// What arrives, and is never added.
TEST_P(DeviceAssignment, BytesMove) {
  EXPECT_EQ(wrong(job("all-gather(ring)", "single-switch(3)", Dtype::byte), device_.get()), 0);
}

// Libraries are given a copy on the host; what is verified is on the device again.
TEST_P(DeviceAssignment, GlooSumsWhatLiesOnDevices) {
#ifdef GRADWIRE_WITHOUT_GLOO
  GTEST_SKIP() << "this gradwire was built without Gloo";
#endif
  for (const char* algorithm : {"gloo(ring)", "gloo(all-to-all)", "gloo(reduce-scatter)"}) {
    EXPECT_EQ(wrong(job(algorithm, "single-switch(3)", Dtype::float32), device_.get()), 0)
        << algorithm;
  }
}

// A device whose addresses UCX reaches: they are handed to it.
TEST(DeviceAssignmentOverUcx, SumsAreExact) {
#ifdef GRADWIRE_WITHOUT_UCX
  GTEST_SKIP() << "this gradwire was built without UCX";
#endif
  using transport::device::Pace;
  for (const Pace pace : {Pace::beside, Pace::when_asked}) {
    transport::device::StandInDevice device(pace, transport::device::Reach::host);
    Job over_ucx = job("ring", "single-switch(3)", Dtype::float32);
    over_ucx.transport.kind = execution::TransportKind::ucx;
    EXPECT_EQ(wrong(over_ucx, &device), 0);
  }
}

TEST(DeviceAssignmentWithoutDevice, IsRefused) {
  EXPECT_THROW(wrong(job("ring", "single-switch(2)", Dtype::float32), nullptr),
               transport::device::DeviceError);
}

}  // namespace
}  // namespace gradwire::workers
