#include "harness/workers/rank/dense_assignment.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "collectives/algorithms/dense.h"
#include "core/error.h"
#include "workloads/dense/deviation.h"
#include "workloads/dense/gradient.h"
#include "workloads/dense/values.h"

namespace gradwire::workers {
namespace {

/// Time that the calling thread has had on a processor so far.
Nanoseconds processor_time() {
  timespec time{};
  ensure(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0, "a thread's processor time is kept");
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

/// Calls copy(part of the share, extent) for each extent of a share, in the order of its values.
template <class Copy>
void for_each_part(std::span<float> share, const std::vector<Extent>& extents, Copy copy) {
  std::size_t first = 0;
  for (const Extent& extent : extents) {
    copy(share.subspan(first, extent.count), extent);
    first += extent.count;
  }
}

}  // namespace

DenseAssignment::DenseAssignment(const Job& job, const WorkerContext& context)
    : DenseAssignment(job, context, goal_of(job)) {}

DenseAssignment::DenseAssignment(const Job& job, const WorkerContext& context, const Goal& goal)
    : rank_(job.rank),
      context_(context),
      stack_(*job.task.workload.dense()),
      seed_(job.seed),
      is_late_(algorithms::multiplies_late(job.task.algorithm)),
      workers_(contributors(goal)),
      begins_(goal.begins),
      contributes_(!goal.begins[rank_.index()].empty()),
      ends_(!goal.ends[rank_.index()].empty()),
      buffer_(Dtype::float32, goal.elements),
      synchronized_(buffer_.elements().as<float>()) {
  const bool in_pieces =
      std::ranges::any_of(begins_, [](const auto& extents) { return extents.size() > 1; });
  if (is_late_) average_.resize(stack_.weights());
  if ((!is_late_ && contributes_) || in_pieces) share_.resize(stack_.values());
  const algorithms::BucketAmount everything{.amount = amount_of(job)};
  synchronizer_ = make_synchronizer(job, {&everything, 1}, buffer_.elements(), context_);
}

record::RankIteration DenseAssignment::iterate(const IterationRequest& request) {
  make_share(request.iteration);
  const Nanoseconds begun = processor_time();
  if (!is_late_) multiply_own();
  const Nanoseconds own = processor_time() - begun;
  record::RankIteration mine = synchronize_all(*synchronizer_, context_, request.trace);
  context_.rendezvous.barrier();  // what follows keeps cores busy that a slower rank may still need
  synchronizer_->put_in_place(0);
  const Nanoseconds arrived = processor_time();
  if (is_late_) multiply_all();
  mine.dense = {.products = is_late_ ? processor_time() - arrived : own};
  if (request.check) {
    context_.rendezvous.barrier();
    verify(request.iteration, mine);
  }
  return mine;
}

void DenseAssignment::make_share(std::size_t iteration) {
  if (!contributes_) return;
  const dense::Source source{.seed = seed_, .iteration = iteration, .rank = rank_};
  if (!is_late_) {
    dense::fill_share(source, stack_, share_);
    return;
  }
  const std::vector<Extent>& extents = begins_[rank_.index()];
  if (extents.size() == 1) {
    const Extent& all = extents.front();
    dense::fill_share(source, stack_, synchronized_.subspan(all.first, all.count));
    return;
  }
  dense::fill_share(source, stack_, share_);
  for_each_part(share_, extents, [&](std::span<float> part, const Extent& extent) {
    std::ranges::copy(part, synchronized_.subspan(extent.first, extent.count).begin());
  });
}

void DenseAssignment::multiply_own() {
  if (contributes_) {
    dense::form_products(stack_, share_, synchronized_, {.workers = workers_.size()});
  } else {
    std::ranges::fill(synchronized_, 0.0F);  // a server adds to what it finds
  }
}

void DenseAssignment::multiply_all() {
  for (const Rank worker : workers_) {
    dense::form_products(stack_, share_of(worker), average_,
                         {.workers = workers_.size(), .adds = worker != workers_.front()});
  }
}

std::span<const float> DenseAssignment::share_of(Rank worker) {
  const std::vector<Extent>& extents = begins_[worker.index()];
  if (extents.size() == 1) {
    return synchronized_.subspan(extents.front().first, extents.front().count);
  }
  for_each_part(share_, extents, [&](std::span<float> part, const Extent& extent) {
    std::ranges::copy(synchronized_.subspan(extent.first, extent.count), part.begin());
  });
  return share_;
}

void DenseAssignment::verify(std::size_t iteration, record::RankIteration& mine) const {
  mine.wrong = 0;
  if (!ends_) return;
  const dense::Deviation found = dense::deviation(
      {.stack = stack_, .workers = workers_, .seed = seed_, .iteration = iteration},
      is_late_ ? std::span<const float>(average_) : synchronized_);
  mine.wrong = static_cast<std::int64_t>(found.wrong);
  mine.dense->deviation = found.relative;
}

}  // namespace gradwire::workers
