#include "transport/execution/plan_agreement.h"

#include <future>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "ringallreduce/plan.h"
#include "topologies/registry.h"
#include "transport/loopback/rendezvous.h"

namespace gradwire::execution {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// What every rank says of its Plan of a ring of four; `odd` has one of another gradient.
std::vector<std::string> refusals(std::optional<std::size_t> odd) {
  const auto topology = topologies::make_topology("single-switch(4)");
  transport::loopback::MeetingPoint point(4, std::chrono::seconds(30));
  std::vector<std::future<std::string>> ranks;
  for (std::size_t i = 0; i < 4; ++i) {
    ranks.push_back(std::async(std::launch::async, [&, i]() -> std::string {
      transport::loopback::LocalRendezvous rendezvous(point, Rank(i));
      const Plan plan = ringallreduce::plan(*topology, Rank(i), odd == i ? 1001 : 1000);
      try {
        require_agreement(plan, Rank(i), rendezvous);
      } catch (const FabricError& error) {
        return error.what();
      }
      return "";
    }));
  }
  std::vector<std::string> said;
  for (auto& rank : ranks) said.push_back(rank.get());
  return said;
}

TEST(RequireAgreement, LetsPlansThatBelongTogetherPass) {
  EXPECT_THAT(refusals(std::nullopt), Each(IsEmpty()));
}

TEST(RequireAgreement, NamesTheRankWithAnotherPlanOnAllRanks) {
  for (std::size_t odd = 0; odd < 4; ++odd) {
    EXPECT_THAT(refusals(odd), Each(StartsWith("rank " + std::to_string(odd) +
                                               ": refused: its Plan does not fit")));
  }
}

}  // namespace
}  // namespace gradwire::execution
