#include "harness/workers/job.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/json.h"
#include "tests/collectives/algorithms/named.h"
#include "topologies/registry.h"

/// What travels between harness and workers comes out as it went in.
namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;
using algorithms::testing::named;

TEST(Job, ATrainingJobTravels) {
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology("bcube(3,2)");
  const Job job{.rank = Rank(3),
                .task = {.wiring = wiring,
                         .algorithm = named("bml", *wiring),
                         .batch = 32,
                         .schedule = text::parse_spec("fixed(cap=1MiB)")},
                .training = TrainingJob{.layers = {{.tensors = {40, 2},
                                                    .forward = Seconds(0.1),
                                                    .backward = Seconds(1.0 / 3)}},
                                        .dilation = 12.5,
                                        .load = experiment::ProcessorLoad::cpu},
                .seed = 0xfedcba9876543210,
                .timeout = 3s,
                .startup = 905us,
                .rate = {4e8 / 3}};
  const Job arrived = job_from_json(nlohmann::json::parse(to_json(job).dump()));
  EXPECT_EQ(arrived.rank, job.rank);
  EXPECT_EQ(arrived.task.wiring->name(), "bcube(3,2)");
  EXPECT_EQ(arrived.task.algorithm.name(), "bml");
  EXPECT_EQ(&arrived.task.algorithm.topology(), arrived.task.wiring.get());
  EXPECT_EQ(arrived.seed, job.seed);
  EXPECT_EQ(arrived.startup, job.startup);
  EXPECT_EQ(arrived.rate, job.rate);
  ASSERT_TRUE(arrived.training.has_value());
  EXPECT_EQ(arrived.task.batch, job.task.batch);
  EXPECT_EQ(arrived.task.schedule, job.task.schedule);
  EXPECT_EQ(arrived.training->dilation, job.training->dilation);
  EXPECT_EQ(arrived.training->load, experiment::ProcessorLoad::cpu);
  ASSERT_EQ(arrived.training->layers.size(), 1u);
  EXPECT_EQ(arrived.training->layers[0].tensors, job.training->layers[0].tensors);
  EXPECT_EQ(arrived.training->layers[0].backward, job.training->layers[0].backward);
}

// Infinity, which JSON lacks.
TEST(Job, LinksWithoutALimitTravel) {
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology("bcube(3,2)");
  const Job job{.task = {.wiring = wiring, .algorithm = named("bml", *wiring)}};
  EXPECT_FALSE(job_from_json(nlohmann::json::parse(to_json(job).dump())).rate.is_limited());
}

// Its workload by its name: the algorithm is the same for it on the other side.
TEST(Job, ItsWorkloadTravels) {
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology("single-switch(3)");
  for (const char* name : {"", "lenet5", "dense(inputs=4, outputs=5, samples=6)",
                           "hybrid(host=1, model=lenet5, samples=3)"}) {
    const workloads::Workload workload = workloads::parse_workload(name, 42);
    const Job job{.task = {.wiring = wiring,
                           .algorithm = named("ring", *wiring, name),
                           .workload = workload}};
    const Job arrived = job_from_json(nlohmann::json::parse(to_json(job).dump()));
    EXPECT_EQ(arrived.task.workload.name(), name);
    EXPECT_EQ(arrived.task.algorithm.collective(), job.task.algorithm.collective());
    EXPECT_EQ(amount_of(arrived).elements, workload.elements());
    EXPECT_EQ(amount_of(arrived).tensors, workload.tensors());
    EXPECT_EQ(goal_of(arrived).begins, goal_of(job).begins) << name;
  }
}

// One that only carries flows has none.
TEST(Job, WithoutAnAlgorithmTravels) {
  const Job job{.task = {.wiring = topologies::make_topology("single-switch(2)"),
                         .workload = workloads::Workload(workloads::Elements{7})},
                .flows = {{.from = Rank(0), .via = Port(0), .to = Rank(1), .at = Port(0)}}};
  const Job arrived = job_from_json(nlohmann::json::parse(to_json(job).dump()));
  EXPECT_TRUE(arrived.is_calibration());
  EXPECT_EQ(goal_of(arrived).elements, goal_of(job).elements);
}

TEST(JobPlan, TravelsAndCountsItsBuckets) {
  const JobPlan plan{.cost = {{.bytes = 1024, .time = Seconds(1e-5 / 3)}},
                     .buckets = {{0, 2}, {2, 5, Seconds(1e-3 / 3)}},
                     .overlaps = false};
  const JobPlan arrived =
      text::from_json<JobPlan>(nlohmann::json::parse(text::to_json(plan).dump()), "job plan");
  EXPECT_EQ(arrived.buckets, plan.buckets);
  EXPECT_EQ(arrived.overlaps, false);
  EXPECT_EQ(arrived.cost[0].time, plan.cost[0].time);
  EXPECT_THROW(static_cast<void>(text::from_json<JobPlan>(nlohmann::json::parse("{}"), "job plan")),
               InternalError);
}

TEST(RankIteration, TravelsWithItsBuckets) {
  const record::RankIteration step{
      .start = 5ns,
      .end = 500ns,
      .wrong = 7,
      .training = record::RankTraining{.compute_end = 300ns,
                                       .buckets = {{.ready = 100ns, .start = 110ns, .end = 250ns}},
                                       .parameters = 0xfedcba9876543210},
      .program = record::RankProgram{.ends = {400ns, 500ns},
                                     .nodes = {{.start = 5ns, .end = 100ns},
                                               {.start = 100ns, .end = 500ns, .cause = 0}},
                                     .verified = 3},
      .links = {{.port = Port(1), .what = "p1 was down for 0.21 s"}}};
  const record::RankIteration arrived =
      record::rank_iteration_from_json(nlohmann::json::parse(to_json(step).dump()));
  EXPECT_EQ(arrived.wrong, 7);
  EXPECT_EQ(arrived.training->parameters, step.training->parameters);
  EXPECT_EQ(arrived.training->buckets[0].start, 110ns);
  EXPECT_EQ(arrived.training->compute_end, 300ns);
  EXPECT_EQ(arrived.program, step.program);
  EXPECT_EQ(arrived.links, step.links);
}

TEST(TracedTransfer, Travels) {
  const record::TracedTransfer transfer{.bucket = 1,
                                        .lane = 2,
                                        .step = 3,
                                        .sends = true,
                                        .peer = {Rank(4), Port(1), Port(0)},
                                        .elements = 99,
                                        .posted = 10us,
                                        .done = 20us};
  const auto arrived =
      record::traced_transfer_from_json(nlohmann::json::parse(to_json(transfer).dump()));
  EXPECT_EQ(arrived.peer, transfer.peer);
  EXPECT_TRUE(arrived.sends);
  EXPECT_EQ(arrived.done, 20us);
  EXPECT_EQ(arrived.elements, 99u);
}

TEST(IterationRequest, Travels) {
  const IterationRequest request{.iteration = 8, .check = true, .trace = true};
  const auto sent = nlohmann::json::parse(text::to_json(request).dump());
  EXPECT_EQ(text::from_json<IterationRequest>(sent, "step"), request);
}

}  // namespace
}  // namespace gradwire::workers
