#include "harness/emulate/host_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topologies/registry.h"

namespace gradwire::emulate {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;
using ::testing::StartsWith;

class HostVariables : public ::testing::Test {
 protected:
  [[nodiscard]] Layout layout(std::vector<Rank> running) const {
    return {.wiring = *wiring_,
            .addresses = addresses_,
            .running = std::move(running),
            .port = 29500,
            .remote_shell = "shell"};
  }
  [[nodiscard]] static Rank host(std::size_t number) { return Rank(number); }

 private:
  std::unique_ptr<const topologies::Topology> wiring_ = topologies::make_topology("bcube(3,2)");
  topologies::AddressPlan addresses_ = topologies::plan_addresses(*wiring_);
};

// BCube(3,2): host 5 is port 2 of level 0's switch 1, and port 1 of level 1's switch 2; addresses
// are 10.<100 + level>.<switch>.<port + 1> (topologies/address_plan.h).
TEST_F(HostVariables, AreThoseOfTorchrun) {
  EXPECT_THAT(variables_of(layout({host(0), host(5)}), host(5)),
              AllOf(Contains("RANK=1"), Contains("WORLD_SIZE=2"), Contains("LOCAL_RANK=0"),
                    Contains("LOCAL_WORLD_SIZE=1"), Contains("MASTER_ADDR=10.100.0.1"),
                    Contains("MASTER_PORT=29500"), Contains("GLOO_SOCKET_IFNAME=p0")));
}

TEST_F(HostVariables, SayWhereAHostIs) {
  EXPECT_THAT(
      variables_of(layout({host(5)}), host(5)),
      AllOf(Contains("RANK=0"), Contains("MASTER_ADDR=10.100.1.3"), Contains("GRADWIRE_HOST=5"),
            Contains("GRADWIRE_WIRING=bcube(3,2)"), Contains("GRADWIRE_PORTS=p0,p1"),
            Contains("GRADWIRE_ADDRESSES=10.100.1.3,10.101.2.2"),
            Contains("GRADWIRE_HOSTS=h0,h1,h2,h3,h4,h5,h6,h7,h8")));
}

// A shell may be in a host that is not part of the job.
TEST_F(HostVariables, HaveNoRankOutsideOfTheJob) {
  EXPECT_THAT(variables_of(layout({host(0)}), host(5)),
              AllOf(Each(Not(StartsWith("RANK="))), Contains("WORLD_SIZE=1")));
}

TEST_F(HostVariables, NameEveryPort) {
  const std::string names = host_names(layout({host(0)}));
  EXPECT_THAT(names, StartsWith("127.0.0.1\tlocalhost\n10.100.0.1\th0 h0-p0\n10.101.0.1\th0-p1\n"));
  EXPECT_THAT(names, ::testing::EndsWith("10.101.2.3\th8-p1\n"));
}

}  // namespace
}  // namespace gradwire::emulate
