#include "harness/workers/rank/training_assignment.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <future>

#include <nlohmann/json.hpp>

#include "harness/workers/rank/cost_probe.h"
#include "harness/workers/rank/gradient_memory.h"
#include "results/record/measured_cost.h"
#include "schedule/backward_pass.h"
#include "schedule/policies.h"

namespace gradwire::workers {
namespace {

constexpr float kLearningRate = 1.0F / 1024;

/// Waits for the communication and throws what went wrong: what it ran into says where the fabric
/// failed, unless computing failed first for a reason of its own.
void join(std::future<void>& communication, const std::exception_ptr& computing) {
  try {
    communication.get();
  } catch (const FabricError&) {
    throw;
  } catch (...) {
    if (!computing) throw;
  }
  if (computing) std::rethrow_exception(computing);
}

}  // namespace

/// Fills the gradient from its beginning, whenever the compute thread has time: what is needed
/// first first. By the time that a layer is ready its gradient must be there, and hardly ever is
/// not.
class TrainingAssignment::Filler {
 public:
  Filler(const Pattern& pattern, Rank rank, std::span<float> gradient)
      : pattern_(pattern), rank_(rank), gradient_(gradient) {}

  /// At least the first `elements`.
  void fill_to(std::size_t elements) {
    while (done_ < std::min(elements, gradient_.size())) fill_some();
  }
  /// Fills as much as there is time for.
  void fill_until(TimePoint when, const Clock& clock) {
    while (done_ < gradient_.size() && clock.now() < when) fill_some();
  }

 private:
  void fill_some() {
    constexpr std::size_t kAtOnce = 1 << 18;  // a fraction of a millisecond
    const std::size_t count = std::min(kAtOnce, gradient_.size() - done_);
    pattern_.fill(gradient_.subspan(done_, count), rank_, done_);
    done_ += count;
  }

  const Pattern& pattern_;
  Rank rank_;
  std::span<float> gradient_;
  std::size_t done_ = 0;
};

TrainingAssignment::TrainingAssignment(const Job& job, const WorkerContext& context)
    : TrainingAssignment(job, context, goal_of(job)) {}

TrainingAssignment::TrainingAssignment(const Job& job, const WorkerContext& context,
                                       const Goal& goal)
    : rank_(job.rank),
      context_(context),
      profile_{.layers = job.training->layers},
      dilation_(job.training->dilation),
      computation_(job.training->load, context.clock, context.cancellation),
      memory_(make_host_memory(Dtype::float32, goal.elements, context)),
      gradient_(memory_->elements().as<float>().first(goal.elements)),
      pattern_(goal, job.seed),
      contributes_(!goal.begins[rank_.index()].empty()),
      rate_(kLearningRate / static_cast<float>(contributors(goal).size())),
      ready_at_(profile_.layers.size()) {
  choose_buckets(job);
  if (contributes_) parameters_.resize(gradient_.size());
  synchronizer_ = make_synchronizer(job, amounts(), gradient_, context_);
}

void TrainingAssignment::choose_buckets(const Job& job) {
  JobPlan chosen;
  const auto points = probe_costs(job, gradient_, context_);
  if (rank_ == Rank(0)) {
    const schedule::Schedule buckets =
        schedule::make_schedule(job.task.schedule, schedule::backward_pass(profile_),
                                record::cost_model(record::measured_cost(points)));
    chosen = {.cost = points, .buckets = buckets.buckets, .overlaps = buckets.overlaps};
  }
  plan_ = context_.rendezvous.all_gather(chosen).front();
}

std::vector<algorithms::BucketAmount> TrainingAssignment::amounts() const {
  std::vector<algorithms::BucketAmount> amounts;
  for (const schedule::Bucket& bucket : plan_.buckets) {
    amounts.push_back(algorithms::amount_of(profile_, bucket));
  }
  return amounts;
}

record::RankIteration TrainingAssignment::iterate(const IterationRequest& request) {
  pattern_.turn_to(request.iteration);
  if (!contributes_) std::ranges::fill(gradient_, 0.0F);
  record::RankIteration mine{.training = record::RankTraining{}};
  mine.training->buckets.resize(plan_.buckets.size());
  ready_ = 0;
  synchronizer_->record(request.trace);
  context_.rendezvous.barrier();
  const TimePoint start = context_.clock.now();
  // Filling a gradient keeps a core busy. A rank that begins late for it computes late and sends
  // late, and BML loses more than that: out of step, its ranks share ports.
  context_.rendezvous.barrier();
  auto communication =
      std::async(std::launch::async, [&] { communicate(mine, request.trace, start); });
  std::exception_ptr failure;
  try {
    mine.training->compute_end = compute(start).time_since_epoch();
  } catch (...) {
    failure = std::current_exception();
    context_.cancellation.request();
    publish(profile_.layers.size());  // lets the other thread run into the cancellation, too
  }
  join(communication, failure);
  mine.start = start.time_since_epoch();
  mine.end = context_.clock.now().time_since_epoch();
  context_.rendezvous.barrier();  // what follows keeps cores busy that a slower rank may still need
  if (request.check) mine.wrong = contributes_ ? pattern_.count_wrong(gradient_) : 0;
  if (contributes_) update();
  if (request.check && contributes_) mine.training->parameters = digest();
  return mine;
}

TimePoint TrainingAssignment::compute(TimePoint start) {
  // A rank that only serves has nothing to fill, but expects no gradient before its workers have
  // it.
  Filler filler(pattern_, rank_, contributes_ ? gradient_ : std::span<float>());
  Seconds passed{};
  const auto pass = [&](Seconds time) {
    passed += time * dilation_;
    const TimePoint when = start + std::chrono::duration_cast<Nanoseconds>(passed);
    filler.fill_until(when, context_.clock);
    computation_.until(when);
  };
  const std::vector<workloads::Layer>& layers = profile_.layers;
  for (const workloads::Layer& layer : layers) pass(layer.forward);
  std::size_t elements = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const workloads::Layer& layer = layers[layers.size() - 1 - i];
    pass(layer.backward);
    elements += layer.elements();
    filler.fill_to(elements);
    ready_at_[i] = context_.clock.now();
    publish(i + 1);
  }
  return ready_at_.back();
}

void TrainingAssignment::communicate(record::RankIteration& mine, bool trace, TimePoint start) {
  Computation idle(experiment::ProcessorLoad::wait, context_.clock, context_.cancellation);
  for (std::size_t i = 0; i < plan_.buckets.size(); ++i) {
    const std::size_t layers = plan_.overlaps ? plan_.buckets[i].end() : profile_.layers.size();
    wait_for(layers);
    const auto waits = plan_.buckets[i].not_before * dilation_;
    const TimePoint earliest = start + std::chrono::duration_cast<Nanoseconds>(waits);
    idle.until(earliest);
    record::RankBucket& bucket = mine.training->buckets[i];
    bucket.ready = std::max(ready_at_[layers - 1], earliest).time_since_epoch();
    bucket.start = context_.clock.now().time_since_epoch();
    synchronizer_->synchronize(i);
    bucket.end = context_.clock.now().time_since_epoch();
    if (!trace) continue;
    const auto transfers = synchronizer_->transfers(i, start);
    mine.transfers.insert(mine.transfers.end(), transfers.begin(), transfers.end());
  }
}

void TrainingAssignment::wait_for(std::size_t layers) {
  for (std::size_t ready = ready_; ready < layers; ready = ready_) ready_.wait(ready);
}

void TrainingAssignment::publish(std::size_t layers) {
  ready_ = layers;
  ready_.notify_all();
}

void TrainingAssignment::update() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameters_[i] -= rate_ * gradient_[i];
}

std::uint64_t TrainingAssignment::digest() const {
  std::uint64_t state = 0xcbf29ce484222325;  // FNV-1a over words
  for (const float parameter : parameters_) {
    state = (state ^ std::bit_cast<std::uint32_t>(parameter)) * 0x100000001b3;
  }
  return state;
}

}  // namespace gradwire::workers
