#include "harness/workers/rank/worker.h"

#include <csignal>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "core/error.h"
#include "harness/names/transport_settings.h"
#include "harness/workers/control.h"
#include "harness/workers/failure.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/inbox.h"
#include "harness/workers/rank/link_watch.h"
#include "harness/workers/rank/pulse.h"
#include "harness/workers/rank/shared_gradients.h"
#include "harness/workers/rank/surroundings.h"
#include "results/record/whole_number.h"
#include "transport/cuda/open.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;

const SteadyClock kClock;  // of this machine, as of what happens to its links

/// Sends what an iteration is answered with; many transfers go ahead in messages of their own.
void answer(int control, const record::RankIteration& iteration) {
  constexpr std::size_t kAtOnce = 1000;
  json transfers = json::array();
  for (const record::TracedTransfer& transfer : iteration.transfers) {
    transfers.push_back(to_json(transfer));
    if (transfers.size() < kAtOnce) continue;
    send_message(control, {{"transfers", std::exchange(transfers, json::array())}});
  }
  if (!transfers.empty()) send_message(control, {{"transfers", std::move(transfers)}});
  send_message(control, {{"iterated", to_json(iteration)}});
}

/// The harness hands out what it gathers; all ranks are on its machine.
class ControlMeeting final : public Meeting {
 public:
  explicit ControlMeeting(const WorkerEnds& ends) : rendezvous_(ends.control, ends.inbox) {}

  [[nodiscard]] transport::Rendezvous& rendezvous() override { return rendezvous_; }
  [[nodiscard]] const Clock& clock() const override { return clock_; }
  Nanoseconds agree_on_time() override { return Nanoseconds::zero(); }

 private:
  SteadyClock clock_;
  ControlRendezvous rendezvous_;
};

/// Watches the links of the job's ports from here on, as those of the job before if they are the
/// same. When one is down, tells the harness at once, because the worker may be waiting for somebody
/// who waits for it, and ends what the worker does.
void watch_links(const Job& job, const WorkerEnds& ends, std::unique_ptr<LinkWatch>& watch) {
  std::vector<std::string> interfaces;
  for (const transport::PortBinding& port : job.ports) interfaces.push_back(port.device);
  if (watch && watch->interfaces() == interfaces) return;
  watch.reset();
  const auto report = [control = ends.control,
                       &cancellation = ends.cancellation](const Failure& failure) {
    try {
      send_message(control, {{"failed", to_json(failure)}});
    } catch (const SystemError&) {
      // The harness has gone; nobody is left to tell.
    }
    cancellation.request();
  };
  watch = std::make_unique<LinkWatch>(LinkWatch::Options{
      .rank = job.rank, .interfaces = interfaces, .clock = kClock, .report = report});
}

record::RankIteration iterate(Assignment& assignment, const IterationRequest& request,
                              Pulse& pulse) {
  pulse.begin();
  record::RankIteration mine = assignment.iterate(request);
  mine.stood_still = pulse.end(TimePoint(mine.start), TimePoint(mine.end));
  return mine;
}

/// Memory that is given back when there is no more, so that a worker can still say so.
class Reserve {
 public:
  void give_back() { bytes_.reset(); }

 private:
  static constexpr std::size_t kBytes = 1 << 20;  // so much is a mapping of its own
  std::unique_ptr<std::byte[]> bytes_ = std::make_unique_for_overwrite<std::byte[]>(kBytes);
};

json examined(const json& wanted) {
  const names::TransportKind transport =
      names::parse_transport(wanted.at("transport").get<std::string>());
  json found =
      examine_surroundings(ports_from_json(wanted.at("ports")), transport, wanted.at("gpu"));
  found["room"] = to_json(testbed::machine_room());
  return found;
}

/// What a rank has been assigned and has not finished, by number. Only one of them is in its turn;
/// the others keep their connections and wait.
struct Assignments {
  std::unique_ptr<transport::device::Device> device;  ///< outlives what works on it
  SharedGradients gradients;
  std::map<std::size_t, std::unique_ptr<Assignment>> all;

  [[nodiscard]] Assignment& at(const json& message) {
    const auto found = all.find(number_in(message));
    ensure(found != all.end(), "a job comes before its steps, and ends after them");
    return *found->second;
  }
  static std::size_t number_in(const json& message) {
    return record::whole_number<std::size_t>(message.at("assignment"));
  }
  [[nodiscard]] std::optional<FabricError> unanswered() const {
    for (const auto& [number, assignment] : all) {
      if (auto lost = assignment->unanswered()) return lost;
    }
    return std::nullopt;
  }
};

void serve(const WorkerEnds& ends, Meeting& meeting, std::unique_ptr<LinkWatch>& watch,
           Assignments& assignments) {
  const int control = ends.control;
  Pulse pulse(meeting.clock());
  while (const auto message = ends.inbox.next()) {
    if (message->contains("job")) {
      const Job job = job_from_json(message->at("job"));
      if (job.memory == Memory::device && !assignments.device) {
        assignments.device = cuda::open_device();
      }
      assignments.gradients.expect(record::whole_number<std::size_t>(message->at("room")));
      watch_links(job, ends, watch);
      const auto& made = assignments.all[Assignments::number_in(*message)] =
          make_assignment(job, {.rendezvous = meeting.rendezvous(),
                                .cancellation = ends.cancellation,
                                .clock = meeting.clock(),
                                .device = assignments.device.get(),
                                .shared = &assignments.gradients});
      const std::optional<JobPlan> plan = made->plan();
      send_message(control, {{"ready", plan ? to_json(*plan) : json(true)}});
    } else if (message->contains("iterate")) {
      Assignment& assignment = assignments.at(*message);
      const TimePoint began = kClock.now();
      const IterationRequest request = iteration_request_from_json(message->at("iterate"));
      record::RankIteration mine = iterate(assignment, request, pulse);
      mine.links = watch->take_events(began);
      answer(control, mine);
    } else if (message->contains("finish")) {
      assignments.all.erase(Assignments::number_in(*message));
      send_message(control, {{"finished", true}});
    } else if (message->contains("agree_on_time")) {
      send_message(control, {{"agreed", meeting.agree_on_time().count()}});
    } else if (message->contains("examine")) {
      send_message(control, {{"examined", examined(message->at("examine"))}});
    } else if (message->contains("count")) {
      json counted = json::array();
      for (const auto& port : count_ports(ports_from_json(message->at("count")))) {
        counted.push_back({port.sent_bytes, port.received_bytes});
      }
      send_message(control, {{"counted", std::move(counted)}});
    } else {
      throw InternalError("unknown message: " + message->dump());
    }
  }
}

}  // namespace

std::unique_ptr<Meeting> meet_over_control(const WorkerEnds& ends) {
  return std::make_unique<ControlMeeting>(ends);
}

int run_worker(int control, const MakeMeeting& make_meeting) {
  std::signal(SIGINT, SIG_IGN);  // the terminal's Ctrl-C reaches us too; the harness decides
  try {
    transport::Cancellation cancellation;
    std::optional<Inbox> inbox;
    std::unique_ptr<LinkWatch> watch;
    Reserve reserve;
    try {
      inbox.emplace(control, cancellation);
      const WorkerEnds ends{.control = control, .inbox = *inbox, .cancellation = cancellation};
      const auto meeting = make_meeting(ends);
      Assignments assignments;
      serve(ends, *meeting, watch, assignments);
      // Somebody may be waiting for what this rank sent last.
      if (const auto lost = assignments.unanswered()) throw *lost;
      return 0;
    } catch (const std::exception& error) {
      reserve.give_back();
      const Failure failure = watch ? watch->explain(error) : describe_failure(error);
      send_message(control, {{"failed", to_json(failure)}});
    }
  } catch (const std::exception&) {
    // The harness has gone; nobody is left to tell.
  }
  return 1;
}

}  // namespace gradwire::workers
