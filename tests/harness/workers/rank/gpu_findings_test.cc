#include "harness/workers/rank/gpu_findings.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What `gradwire doctor --gpu` says, which the check `gpu` of verify.yml reads.
namespace gradwire::workers {
namespace {

TEST(GpuFindings, SayWhatTheBusCarries) {
  const GpuFindings found{.gpu = "usable: NVIDIA H100",
                          .copies = {{.to_host = 24.06e9, .to_device = 23.8e9}},
                          .ways = "tcp staged"};
  EXPECT_TRUE(found.usable());
  EXPECT_EQ(to_text(found),
            "gpu: usable: NVIDIA H100\n"
            "bus: 24.1 GB/s to the host, 23.8 GB/s to the GPU\n"
            "gradients: tcp staged\n");
}

// Whatever this machine has: a GPU that is usable has been measured, and no other.
TEST(GpuFindings, OfThisMachineAgree) {
  const GpuFindings found = find_gpu(SteadyClock());
  EXPECT_EQ(found.usable(), found.gpu.starts_with("usable"));
  EXPECT_THAT(found.ways, ::testing::StartsWith("tcp staged; ucx "));
  const bool says_not = to_text(found).find("\nbus: not measured: ") != std::string::npos;
  EXPECT_EQ(says_not, !found.usable());
}

}  // namespace
}  // namespace gradwire::workers
