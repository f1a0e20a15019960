#include <algorithm>

#include <gtest/gtest.h>

#include "collectives/member.h"
#include "schedule/backward_pass.h"
#include "schedule/jobs/check.h"
#include "schedule/jobs/data_parallel.h"
#include "schedule/optimum.h"
#include "schedule/timeline.h"
#include "tests/simulator/job_plans.h"
#include "workloads/model.h"
#include "workloads/profile.h"

/// A training job as a job, and as experiments run it, one bucket after the other: the same bits.
namespace gradwire::simulator {
namespace {

using testing::algorithms;
using testing::make_topology;
using testing::MakePlan;

struct Training {
  workloads::Profile profile;
  schedule::BackwardPass pass;
};

Training training(const char* model) {
  const workloads::Profile profile = workloads::derive(
      workloads::load_model(model), {.device = workloads::find_device("v100"), .batch = 32});
  return {.profile = profile, .pass = schedule::backward_pass(profile)};
}

std::vector<schedule::Schedule> schedules(const schedule::BackwardPass& pass) {
  const schedule::Affine cost{.a = Seconds(1e-4), .b = 3e-9};
  return {schedule::wfbp(pass),
          schedule::no_overlap(pass),
          schedule::synceasgd(pass),
          schedule::fixed_buckets(pass, 1 << 20, 25 << 20),
          schedule::mg_wfbp(pass, cost),
          schedule::fusion_cycles(pass, cost, {.time = Seconds(2e-3), .cap = 64 << 20}),
          schedule::optimum(pass, cost)};
}

std::size_t elements_of(const Training& training, const schedule::Bucket& bucket) {
  const auto& layers = training.profile.layers;
  std::size_t elements = 0;
  for (std::size_t i = bucket.first; i < bucket.end(); ++i) {
    elements += layers[layers.size() - 1 - i].elements();
  }
  return elements;
}

/// Every bucket's times by rank, as stages.
std::vector<std::vector<StageTimes>> as_stages(const topologies::Topology& topology,
                                               const Training& training,
                                               const schedule::Schedule& schedule,
                                               const MakePlan& plan, const NetworkModel& model) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < schedule.buckets.size(); ++i) {
    Stage& stage = stages.emplace_back();
    stage.ready = schedule::sendable(training.pass, schedule, i).count();
    const std::size_t elements = elements_of(training, schedule.buckets[i]);
    for (std::size_t rank = 0; rank < topology.hosts(); ++rank) {
      stage.plans.push_back(plan(topology, Rank(rank), elements));
    }
  }
  return simulate(WholeFabric(topology), std::move(stages), model).stages;
}

/// The same as nodes of a job.
std::vector<std::vector<StageTimes>> as_job(const topologies::Topology& topology,
                                            const Training& training,
                                            const schedule::Schedule& schedule,
                                            const MakePlan& plan, const NetworkModel& model) {
  const jobs::Job job = jobs::data_parallel(training.profile, schedule, topology.hosts());
  EXPECT_TRUE(jobs::check(job).empty());
  const PlansOf plans_of = [&](const jobs::Call& call, std::span<const Rank> hosts) {
    std::vector<Plan> plans;
    for (const Rank host : hosts) plans.push_back(plan(topology, host, call.elements));
    return plans;
  };
  const std::vector<Tenant> tenants{{.job = job, .seats = collectives::everyone(topology)}};
  const JobOutcome outcome = simulate(topology, tenants, plans_of, model).front();
  std::vector<std::vector<StageTimes>> times;
  const std::vector<jobs::Node>& nodes = job.programs.front().nodes;
  for (const std::vector<NodeTimes>& rank : outcome.nodes) {
    auto& buckets = times.emplace_back();
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (!std::holds_alternative<jobs::Call>(nodes[node].what)) continue;
      buckets.push_back({.start = rank[node].start, .end = rank[node].end});
    }
  }
  return times;
}

void expect_same_bits(const Training& training, const char* wiring, const char* algorithm,
                      const NetworkModel& model) {
  const auto topology = make_topology(wiring);
  const MakePlan& plan = algorithms().at(algorithm);
  std::size_t number = 0;
  for (const schedule::Schedule& schedule : schedules(training.pass)) {
    const auto stages = as_stages(*topology, training, schedule, plan, model);
    const auto nodes = as_job(*topology, training, schedule, plan, model);
    ASSERT_EQ(stages.size(), nodes.size());
    for (std::size_t rank = 0; rank < stages.size(); ++rank) {
      ASSERT_EQ(stages[rank].size(), nodes[rank].size());
      for (std::size_t bucket = 0; bucket < stages[rank].size(); ++bucket) {
        ASSERT_EQ(stages[rank][bucket].start, nodes[rank][bucket].start)
            << wiring << " " << algorithm << " schedule " << number << " bucket " << bucket;
        ASSERT_EQ(stages[rank][bucket].end, nodes[rank][bucket].end)
            << wiring << " " << algorithm << " schedule " << number << " bucket " << bucket;
      }
    }
    ++number;
  }
}

constexpr NetworkModel kPlain{.rate = 1.25e9};
constexpr NetworkModel kWithCosts{.rate = 1.17e9,
                                  .alpha = 13e-6,
                                  .delay = 7e-7,
                                  .gamma = 1.3e-11,
                                  .burst = 65536,
                                  .burst_factor = 3};

TEST(JobBits, AreThoseOfStagesOnASwitch) {
  const Training resnet = training("resnet50");
  expect_same_bits(resnet, "single-switch(4)", "ring", kPlain);
  expect_same_bits(resnet, "single-switch(4)", "ps", kWithCosts);
  expect_same_bits(resnet, "single-switch(5)", "double-tree", kWithCosts);
}

TEST(JobBits, AreThoseOfStagesOnLargerWirings) {
  const Training alexnet = training("alexnet");
  expect_same_bits(alexnet, "bcube(3,2)", "bml", kPlain);
  expect_same_bits(alexnet, "bcube(3,2)", "bml", kWithCosts);
  expect_same_bits(alexnet, "fat-tree(4)", "ring", kWithCosts);
  expect_same_bits(alexnet, "fat-tree(4)", "hierarchical", kPlain);
  expect_same_bits(alexnet, "leaf-spine(2,4,1)", "halving-doubling", kWithCosts);
}

TEST(JobBits, AreThoseOfStagesWhereRanksOnlyServe) {
  expect_same_bits(training("lenet5"), "single-switch(6)", "ps(servers=2, dedicated)", kWithCosts);
  expect_same_bits(training("lenet5"), "fat-tree(4, ecmp)", "ps", kPlain);
}

TEST(JobBits, AreThoseOfStagesOfAManyLayeredModel) {
  expect_same_bits(training("bert_large"), "single-switch(3)", "ring(pieces=3)", kPlain);
}

}  // namespace
}  // namespace gradwire::simulator
