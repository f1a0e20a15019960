#include "harness/workers/rank/program_streams.h"

#include <algorithm>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"
#include "harness/workers/rank/computation.h"
#include "transport/endpoint.h"

// How the threads of the streams meet.
//
// mutex_ guards what is over and when, of the iteration under way. A stream's thread waits for
// changed_ until all that its next node comes after are over, runs the node without the lock, and
// notes its end. Whoever notes the last end of an iteration begins the next; the other threads, which
// have no more nodes in it, wait for that. No thread is an iteration ahead of another, so one set of
// notes is enough.
namespace gradwire::workers {

using record::RankNode;
using transport::Cancelled;

ProgramStreams::ProgramStreams(const jobs::Program& program, double dilation, Perform perform,
                               const Surroundings& surroundings)
    : program_(program),
      dilation_(dilation),
      perform_(std::move(perform)),
      surroundings_(surroundings),
      before_(program.nodes.size(), RankNode::kNone) {
  std::map<std::uint32_t, Stream> streams;
  for (std::uint32_t node = 0; node < program.nodes.size(); ++node) {
    Stream& stream = streams[program.nodes[node].stream];
    if (!stream.empty()) before_[node] = stream.back();
    stream.push_back(node);
  }
  for (auto& [number, stream] : streams) streams_.push_back(std::move(stream));
}

record::RankProgram ProgramStreams::run(const ProgramRun& run) {
  run_ = run;
  iteration_ = 0;
  begun_ = last_ = run.start;
  left_ = program_.nodes.size();
  over_.assign(left_, false);
  times_.assign(left_, {});
  result_ = {};
  failures_.clear();
  if (streams_.empty()) return {};
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < streams_.size(); ++i) {
        threads.emplace_back([this, i] { live(streams_[i]); });
      }
    } catch (const std::system_error& error) {
      fail();  // ends those that were started
      throw SystemError("start a thread for a stream", error.code().value());
    }
    live(streams_.front());
  }
  if (!failures_.empty()) throw_failure();
  return std::move(result_);
}

void ProgramStreams::live(const Stream& stream) noexcept {
  try {
    run_stream(stream);
  } catch (...) {
    fail();
  }
}

void ProgramStreams::run_stream(const Stream& stream) {
  for (std::size_t iteration = 0; iteration < run_.iterations; ++iteration) {
    await_iteration(iteration);
    for (const std::uint32_t node : stream) {
      RankNode times = await(node, iteration);
      const jobs::Node& self = program_.nodes[node];
      const TimePoint ready(times.start);
      if (const auto* computing = std::get_if<jobs::Compute>(&self.what)) {
        times.end = compute(*computing, ready).time_since_epoch();
      } else {
        sleep_until(ready);
        times.start = surroundings_.clock.now().time_since_epoch();
        perform_(node, iteration);
        times.end = surroundings_.clock.now().time_since_epoch();
      }
      complete(node, times);
    }
  }
}

RankNode ProgramStreams::await(std::uint32_t node, std::size_t iteration) {
  const jobs::Node& self = program_.nodes[node];
  std::vector<std::uint32_t> befores = self.after;
  if (before_[node] != RankNode::kNone) befores.push_back(before_[node]);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return !failures_.empty() ||
           std::ranges::all_of(befores, [this](std::uint32_t before) { return over_[before]; });
  });
  if (!failures_.empty()) throw Cancelled();
  ensure(iteration_ == iteration, "no stream is an iteration ahead");
  TimePoint ready = begun_;
  if (self.after.empty()) ready += dilated(self.lag);
  RankNode times;
  for (const std::uint32_t before : befores) {
    const TimePoint after = ready_after(before, node);
    if (after < ready) continue;
    ready = after;
    times.cause = before;
  }
  times.start = ready.time_since_epoch();
  return times;
}

TimePoint ProgramStreams::ready_after(std::uint32_t before, std::uint32_t node) const {
  const jobs::Node& self = program_.nodes[node];
  const bool is_lagged = std::ranges::find(self.after, before) != self.after.end();
  return TimePoint(times_[before].end) + (is_lagged ? dilated(self.lag) : Nanoseconds::zero());
}

TimePoint ProgramStreams::compute(const jobs::Compute& what, TimePoint ready) const {
  sleep_until(ready + dilated(what.time));
  return what.time == Seconds(0) ? ready : surroundings_.clock.now();
}

void ProgramStreams::complete(std::uint32_t node, const RankNode& times) {
  const std::scoped_lock lock(mutex_);
  times_[node] = times;
  over_[node] = true;
  last_ = std::max(last_, TimePoint(times.end));
  if (--left_ == 0) {
    if (iteration_ < run_.counted) result_.ends.push_back(last_.time_since_epoch());
    if (iteration_ + 1 == run_.counted) result_.nodes = times_;
    ++iteration_;
    begun_ = last_;
    left_ = times_.size();
    over_.assign(left_, false);
  }
  changed_.notify_all();
}

void ProgramStreams::await_iteration(std::size_t iteration) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !failures_.empty() || iteration_ >= iteration; });
  if (!failures_.empty()) throw Cancelled();
}

void ProgramStreams::sleep_until(TimePoint when) const {
  Computation(experiment::ProcessorLoad::wait, surroundings_.clock, surroundings_.cancellation)
      .until(when);
}

Nanoseconds ProgramStreams::dilated(Seconds time) const {
  return std::chrono::duration_cast<Nanoseconds>(time * dilation_);
}

void ProgramStreams::fail() noexcept {
  surroundings_.cancellation.request();
  const std::scoped_lock lock(mutex_);
  failures_.push_back(std::current_exception());
  changed_.notify_all();
}

void ProgramStreams::throw_failure() const {
  std::exception_ptr cancelled;
  std::exception_ptr other;
  for (const std::exception_ptr& failure : failures_) {
    try {
      std::rethrow_exception(failure);
    } catch (const FabricError& error) {
      if (error.failure() != FabricFailure::cancelled) throw;
      cancelled = failure;
    } catch (const Cancelled&) {
      if (!cancelled) cancelled = failure;
    } catch (...) {
      other = failure;
    }
  }
  std::rethrow_exception(other ? other : cancelled);
}

}  // namespace gradwire::workers
