#include "harness/workers/rank/hybrid_assignment.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/hybrid.h"

namespace gradwire::workers {
namespace {

/// In float32, sums of a batch in two orders differ by some 1e-7 of the largest weight; what is missing,
/// stale or counted twice is off by far more.
constexpr float kOfLargest = 1e-5F;

enum Stage : std::size_t { kInputs, kErrors, kGradients };

/// Number of weights that are further off than `most`.
std::int64_t count_off(std::span<const float> weights, std::span<const float> expected,
                       float most) {
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(std::abs(weights[i] - expected[i]) <= most)) ++wrong;  // no number is wrong, too
  }
  return wrong;
}

float largest(std::span<const float> weights) {
  float most = 0;
  for (const float weight : weights) most = std::max(most, std::abs(weight));
  return most;
}

}  // namespace

HybridAssignment::HybridAssignment(const Job& job, const WorkerContext& context)
    : context_(context), seed_(job.seed) {
  const workloads::Hybrid& hybrid = *job.task.workload.hybrid();
  const algorithms::Amount amount = amount_of(job);
  const std::vector<Rank> workers = job.task.algorithm.workers(amount);
  network_ = dense::network_of(hybrid.network.value());
  samples_ = hybrid.samples;
  workers_ = workers.size();
  const auto found = std::ranges::find(workers, job.rank);
  if (found != workers.end()) place_ = static_cast<std::size_t>(found - workers.begin());
  has_stack_ = job.rank == hybrid.host;
  const std::size_t inputs = workers_ * hybrid.inputs_of_worker();
  buffer_ = ElementBuffer(Dtype::float32, amount.elements + 2 * inputs);
  const auto all = buffer_.elements().as<float>();
  gradient_ = all.first(amount.elements);
  inputs_ = all.subspan(amount.elements, inputs);
  errors_ = all.last(inputs);
  synchronizer_ = make_synchronizer(job, in_stages(job.task.algorithm.stages(job.rank, amount)),
                                    buffer_.elements(), context_);
}

record::RankIteration HybridAssignment::iterate(const IterationRequest& request) {
  dense::Weights<float> weights = dense::make_weights<float>(
      network_, {.seed = seed_, .iteration = request.iteration, .rank = Rank(0)});
  const dense::Batch<float> batch = batch_of(request.iteration);
  dense::Pass<float> pass(network_.replicated, weights.replicated);
  std::ranges::fill(buffer_.elements().bytes(), std::byte{0});  // a server adds to what it finds
  record::RankIteration mine;
  if (place_) {
    const std::size_t each = batch.samples.size() / workers_;
    const auto samples = std::span(batch.samples).subspan(*place_ * each, each);
    std::ranges::copy(pass.forward(samples), own(inputs_).begin());
  }
  synchronize(kInputs, request.trace, mine);
  if (has_stack_) {
    const auto step = dense::stack_step<float>(network_, weights.stack, inputs_, batch.targets);
    std::ranges::copy(step.errors, errors_.begin());
    dense::descend<float>(network_, step.gradient, weights.stack);
  }
  synchronize(kErrors, request.trace, mine);
  if (place_) {
    pass.backward(own(errors_), gradient_);
    dense::add_decay<float>(network_, workers_, weights.replicated, gradient_);
  }
  synchronize(kGradients, request.trace, mine);
  dense::descend<float>(network_, gradient_, weights.replicated);
  if (request.check) mine.wrong = count_wrong(request.iteration, weights);
  return mine;
}

void HybridAssignment::synchronize(std::size_t stage, bool trace, record::RankIteration& mine) {
  synchronizer_->record(trace);
  context_.rendezvous.barrier();
  const TimePoint start = context_.clock.now();
  synchronizer_->synchronize(stage);
  const Nanoseconds took = context_.clock.now() - start;
  if (stage == kInputs) mine.start = mine.end = start.time_since_epoch();
  if (trace) {
    const Nanoseconds before = mine.end - mine.start;
    const auto transfers = synchronizer_->transfers(stage, start - before);
    mine.transfers.insert(mine.transfers.end(), transfers.begin(), transfers.end());
  }
  Nanoseconds longest{};
  for (const Nanoseconds each : context_.rendezvous.all_gather(took)) {
    longest = std::max(longest, each);
  }
  mine.end += longest;
}

dense::Batch<float> HybridAssignment::batch_of(std::size_t iteration) const {
  return dense::make_batch<float>(network_, workers_ * samples_,
                                  {.seed = seed_, .iteration = iteration, .rank = Rank(1)});
}

std::span<float> HybridAssignment::own(std::span<float> of_all) const {
  const std::size_t each = of_all.size() / workers_;
  return of_all.subspan(*place_ * each, each);
}

std::int64_t HybridAssignment::count_wrong(std::size_t iteration,
                                           const dense::Weights<float>& after) const {
  const auto before = dense::make_weights<float>(
      network_, {.seed = seed_, .iteration = iteration, .rank = Rank(0)});
  const auto expected = dense::single_device_step(network_, before, batch_of(iteration), 1);
  std::int64_t wrong = 0;
  if (has_stack_) wrong += count_off(after.stack, expected.stack, 0);
  if (place_) {
    wrong +=
        count_off(after.replicated, expected.replicated, kOfLargest * largest(expected.replicated));
  }
  return wrong;
}

}  // namespace gradwire::workers
