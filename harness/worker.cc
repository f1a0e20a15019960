#include "harness/worker.h"

#include <algorithm>
#include <csignal>
#include <memory>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "core/error.h"
#include "core/pattern.h"
#include "harness/control.h"
#include "harness/failure.h"
#include "harness/inbox.h"
#include "harness/job.h"
#include "transport/executor.h"
#include "transport/tcp/connect.h"

namespace gradwire::harness {
namespace {

using nlohmann::json;

/// A job that is set up: the gradient, its Plan, and the connections.
class Assignment {
 public:
  Assignment(const Job& job, transport::Rendezvous& rendezvous,
             transport::Cancellation& cancellation, const Clock& clock)
      : job_(job), rendezvous_(rendezvous), clock_(clock), gradient_(buffer_elements(job)) {
    if (!job.algorithm.empty()) contributors_ = contributors(job);
    const Plan plan = plan_of(job);
    role_ = plan.role;
    auto endpoints = transport::tcp::connect(
        plan, job.rank, gradient_, job.ports, rendezvous, cancellation, clock,
        {.key = job.key, .timeout = job.timeout, .unacknowledged = job.timeout});
    executor_ = std::make_unique<transport::Executor>(
        plan, job.rank, std::move(endpoints), cancellation, clock,
        transport::Executor::Options{.stall_timeout = job.timeout});
  }

  /// Fills the gradient, waits until every rank has, synchronizes it, and verifies the sums.
  [[nodiscard]] RankStep step(std::size_t iteration, bool check) {
    if (contributors_.empty()) return synchronize();
    const Pattern pattern(contributors_, iteration);
    if (role_ == Role::worker) {
      pattern.fill(gradient_, job_.rank);
    } else {
      std::ranges::fill(gradient_, 0.0F);
    }
    RankStep step = synchronize();
    if (check) step.wrong = role_ == Role::worker ? wrong_elements(pattern) : 0;
    return step;
  }

 private:
  [[nodiscard]] RankStep synchronize() {
    rendezvous_.barrier();
    const TimePoint start = clock_.now();
    executor_->execute();
    const TimePoint end = clock_.now();
    return {.start = start.time_since_epoch(), .end = end.time_since_epoch()};
  }

  [[nodiscard]] std::int64_t wrong_elements(const Pattern& pattern) const {
    return static_cast<std::int64_t>(pattern.count_wrong(gradient_));
  }

  Job job_;
  transport::Rendezvous& rendezvous_;
  const Clock& clock_;
  std::vector<float> gradient_;
  std::vector<Rank> contributors_;  ///< empty in a calibration, which sums nothing
  Role role_ = Role::worker;
  std::unique_ptr<transport::Executor> executor_;
};

void serve(int control, Inbox& inbox, transport::Cancellation& cancellation) {
  const SteadyClock clock;
  std::unique_ptr<ControlRendezvous> rendezvous;
  std::unique_ptr<Assignment> assignment;
  while (const auto message = inbox.next()) {
    if (message->contains("job")) {
      assignment.reset();
      const Job job = job_from_json(message->at("job"));
      rendezvous = std::make_unique<ControlRendezvous>(control, inbox, job.rank);
      assignment = std::make_unique<Assignment>(job, *rendezvous, cancellation, clock);
      send_message(control, {{"ready", true}});
    } else if (message->contains("step")) {
      ensure(assignment != nullptr, "a job comes before its steps");
      const json& step = message->at("step");
      send_message(control, {{"stepped",
                              to_json(assignment->step(step.at("iteration"), step.at("check")))}});
    } else {
      throw InternalError("unknown message: " + message->dump());
    }
  }
}

}  // namespace

int run_worker(int control) {
  std::signal(SIGINT, SIG_IGN);  // the terminal's Ctrl-C reaches us too; the harness decides
  try {
    transport::Cancellation cancellation;
    Inbox inbox(control, cancellation);
    try {
      serve(control, inbox, cancellation);
      return 0;
    } catch (const std::exception& error) {
      send_message(control, {{"failed", to_json(describe_failure(error))}});
    }
  } catch (const std::exception&) {
    // The harness has gone; nobody is left to tell.
  }
  return 1;
}

}  // namespace gradwire::harness
