#include "harness/worker/worker.h"

#include <csignal>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "core/error.h"
#include "harness/control.h"
#include "harness/failure.h"
#include "harness/job.h"
#include "harness/worker/assignment.h"
#include "harness/worker/inbox.h"

namespace gradwire::harness {
namespace {

using nlohmann::json;

/// Sends what an iteration is answered with; many transfers go ahead in messages of their own.
void answer(int control, const RankIteration& iteration) {
  constexpr std::size_t kAtOnce = 1000;
  json transfers = json::array();
  for (const TracedTransfer& transfer : iteration.transfers) {
    transfers.push_back(to_json(transfer));
    if (transfers.size() < kAtOnce) continue;
    send_message(control, {{"transfers", std::exchange(transfers, json::array())}});
  }
  if (!transfers.empty()) send_message(control, {{"transfers", std::move(transfers)}});
  send_message(control, {{"iterated", to_json(iteration)}});
}

void serve(int control, Inbox& inbox, transport::Cancellation& cancellation) {
  const SteadyClock clock;
  std::unique_ptr<ControlRendezvous> rendezvous;
  std::unique_ptr<Assignment> assignment;
  while (const auto message = inbox.next()) {
    if (message->contains("job")) {
      assignment.reset();
      const Job job = job_from_json(message->at("job"));
      rendezvous = std::make_unique<ControlRendezvous>(control, inbox, job.rank);
      assignment = make_assignment(
          job, {.rendezvous = *rendezvous, .cancellation = cancellation, .clock = clock});
      const std::optional<JobPlan> plan = assignment->plan();
      send_message(control, {{"ready", plan ? to_json(*plan) : json(true)}});
    } else if (message->contains("iterate")) {
      ensure(assignment != nullptr, "a job comes before its steps");
      answer(control, assignment->iterate(iteration_request_from_json(message->at("iterate"))));
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
