#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "collectives/hybrid.h"
#include "tests/collectives/algorithms/named.h"
#include "tests/transport/rank_group.h"
#include "topologies/registry.h"
#include "workloads/dense/hybrid_step.h"

/// Hybrid parallelism with real numbers: workers take their samples through convolutions, the host of the
/// stack takes what comes of them through it and back, and errors and gradients travel by real Plans. The
/// weights after a step are those of a single device with all samples (Late-multiply, 2017, section 2.2).
namespace gradwire::dense {
namespace {

using transport::testing::RankContext;

/// Two convolutions on every worker, and two fully connected layers.
const HybridNetwork kExecuted{
    .replicated = {{{.channels = 1, .side = 6, .outputs = 4, .kernel = 3},
                    {.channels = 4, .side = 4, .outputs = 5, .kernel = 2}}},
    .stack = {{{.channels = 5, .side = 3, .outputs = 7, .kernel = 3},
               {.channels = 7, .side = 1, .outputs = 3, .kernel = 1}},
              false},
    .rate = 0.5,
    .decay = 0.25};
constexpr std::size_t kBatch = 16;

/// What is done with gradients; anything but the default is wrong.
struct Rule {
  bool averages = false;      ///< sums are divided by the number of workers
  bool divides_decay = true;  ///< each replica has its share of the decay
};

template <class T>
constexpr Dtype kType = sizeof(T) == 8 ? Dtype::float64 : Dtype::float32;

/// A job of hybrid parallelism on a wiring.
template <class T>
class Job {
 public:
  Job(const char* algorithm, const std::string& wiring, Rank host)
      : topology_(topologies::make_topology(wiring)) {
    const algorithms::Algorithm summing = algorithms::testing::named(algorithm, *topology_);
    const algorithms::Amount amount{.elements = kExecuted.replicated.weights()};
    summed_ = summing.goal(amount);
    workers_ = summing.workers(amount);
    stack_ = {.host = host, .inputs = kBatch / workers_.size() * kExecuted.replicated.outputs()};
    for (std::size_t i = 0; i < topology_->hosts(); ++i) {
      plans_.push_back(in_stages(collectives::hybrid::stages(
          *topology_, Rank(i), summing.plan(Rank(i), amount), summed_, stack_)));
    }
  }

  [[nodiscard]] std::size_t workers() const { return workers_.size(); }

  /// One step over loopback. Every worker's replicated weights after it, and the stack's.
  std::vector<Weights<T>> step(const Weights<T>& weights, const Batch<T>& batch,
                               const Rule& rule = {}) {
    std::vector<Weights<T>> after(topology_->hosts());
    const auto run = [&](RankContext& context) {
      after[context.self.index()] = step_of(context, weights, batch, rule);
    };
    transport::testing::Loopback loopback(plans_.size());
    const std::size_t elements = summed_.elements + 2 * workers_.size() * stack_.inputs;
    transport::testing::expect_ended_well(transport::testing::run_ranks(
        loopback, std::span<const StagedPlan>(plans_), elements, run, {.type = kType<T>}));
    std::vector<Weights<T>> of_workers;
    for (const Rank worker : workers_) {
      of_workers.push_back(after[worker.index()]);
      of_workers.back().stack = after[stack_.host.index()].stack;
    }
    return of_workers;
  }

 private:
  Weights<T> step_of(RankContext& context, Weights<T> weights, const Batch<T>& batch,
                     const Rule& rule) {
    const std::span<T> all = context.elements.as<T>();
    const std::size_t everybodys = workers_.size() * stack_.inputs;
    const std::span<T> gradient = all.first(summed_.elements);
    const std::span<T> inputs = all.subspan(summed_.elements, everybodys);
    const std::span<T> errors = all.last(everybodys);
    const auto place = std::ranges::find(workers_, context.self) - workers_.begin();
    const auto place_index = static_cast<std::size_t>(place);
    const bool works = place_index < workers_.size();
    const auto own = [&](std::span<T> of_all) {
      return of_all.subspan(place_index * stack_.inputs, stack_.inputs);
    };
    Pass<T> pass(kExecuted.replicated, weights.replicated);
    if (works) {
      const std::size_t each = batch.samples.size() / workers_.size();
      std::ranges::copy(pass.forward(std::span(batch.samples).subspan(place_index * each, each)),
                        own(inputs).begin());
    }
    context.rendezvous.barrier();
    context.executor.execute(0);
    if (context.self == stack_.host) {
      const StackStep<T> step = stack_step<T>(kExecuted, weights.stack, inputs, batch.targets);
      std::ranges::copy(step.errors, errors.begin());
      descend<T>(kExecuted, step.gradient, weights.stack);
    }
    context.rendezvous.barrier();
    context.executor.execute(1);
    if (works) {
      pass.backward(own(errors), gradient);
      add_decay<T>(kExecuted, rule.divides_decay ? workers_.size() : 1, weights.replicated,
                   gradient);
    }
    context.rendezvous.barrier();
    context.executor.execute(2);
    for (T& sum : gradient) sum /= static_cast<T>(rule.averages ? workers_.size() : 1);
    descend<T>(kExecuted, gradient, weights.replicated);
    return weights;
  }

  std::unique_ptr<const topologies::Topology> topology_;
  Goal summed_;
  std::vector<Rank> workers_;
  collectives::hybrid::Stack stack_;
  std::vector<StagedPlan> plans_;
};

/// The largest difference of two weights, in the largest weight.
template <class T>
double difference(const std::vector<T>& a, const std::vector<T>& b) {
  double most = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    largest = std::max(largest, std::abs(static_cast<double>(b[i])));
  }
  return most / largest;
}

template <class T>
class HybridExecutes : public ::testing::Test {
 protected:
  const Weights<T> weights = make_weights<T>(kExecuted, {.seed = 1});
  const Batch<T> batch = make_batch<T>(kExecuted, kBatch, {.seed = 2});
  /// Of sums in another order: 1e-12 in double precision.
  static constexpr double kRounding = sizeof(T) == 8 ? 1e-12 : 1e-6;
};

using NumberTypes = ::testing::Types<double, float>;
TYPED_TEST_SUITE(HybridExecutes, NumberTypes, );

// Where sums have one order, bits are equal: with one worker those of everything; with two, whose sum has
// only one, those of a device that adds two halves of the batch.
TYPED_TEST(HybridExecutes, BitsAreThoseOfASingleDevice) {
  struct Case {
    const char* algorithm;
    const char* wiring;
    std::size_t host;
  };
  for (const auto& [algorithm, wiring, host] :
       {Case{"ps(servers=1, dedicated)", "single-switch(2)", 0},
        Case{"ps(servers=1, dedicated)", "single-switch(2)", 1},
        Case{"ps(servers=1, dedicated)", "single-switch(3)", 0},
        Case{"ring", "single-switch(2)", 1}, Case{"halving-doubling", "single-switch(2)", 0}}) {
    Job<TypeParam> job(algorithm, wiring, Rank(host));
    const auto expected = single_device_step(kExecuted, this->weights, this->batch, job.workers());
    for (const Weights<TypeParam>& after : job.step(this->weights, this->batch)) {
      EXPECT_EQ(after.replicated, expected.replicated) << algorithm << " " << wiring;
      EXPECT_EQ(after.stack, expected.stack) << algorithm << " " << wiring;
    }
  }
}

// With 2, 4 and 8 workers and any algorithm the stack's bits are those of a device that takes the batch as
// a whole: its host does just that. Replicated weights are sums in another order.
TYPED_TEST(HybridExecutes, WeightsAreThoseOfASingleDevice) {
  struct Case {
    const char* algorithm;
    const char* wiring;
  };
  const auto expected = single_device_step(kExecuted, this->weights, this->batch, 1);
  EXPECT_GT(difference(this->weights.replicated, expected.replicated), 1e-3) << "a step is made";
  for (const auto& [algorithm, wiring] :
       {Case{"ring", "single-switch(2)"}, Case{"ring", "single-switch(4)"},
        Case{"ring", "single-switch(8)"}, Case{"ps(servers=1, dedicated)", "single-switch(9)"},
        Case{"ps", "single-switch(4)"}, Case{"double-tree", "single-switch(8)"},
        Case{"bml", "bcube(2,3)"}}) {
    Job<TypeParam> job(algorithm, wiring, Rank(1));
    for (const Weights<TypeParam>& after : job.step(this->weights, this->batch)) {
      EXPECT_EQ(after.stack, expected.stack) << algorithm << " " << wiring;
      EXPECT_LT(difference(after.replicated, expected.replicated), this->kRounding)
          << algorithm << " " << wiring;
    }
  }
}

// An average in place of the sum is another step, and so is all of the decay on every replica.
TYPED_TEST(HybridExecutes, OtherRulesAreOtherSteps) {
  Job<TypeParam> job("ring", "single-switch(4)", Rank(0));
  const auto expected = single_device_step(kExecuted, this->weights, this->batch, 1);
  for (const Rule& rule : {Rule{.averages = true}, Rule{.divides_decay = false}}) {
    const auto after = job.step(this->weights, this->batch, rule);
    EXPECT_GT(difference(after.front().replicated, expected.replicated), 1e-2);
  }
}

}  // namespace
}  // namespace gradwire::dense
