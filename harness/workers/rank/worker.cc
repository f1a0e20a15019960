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
#include "core/text/json.h"
#include "core/text/whole_number.h"
#include "harness/workers/control.h"
#include "harness/workers/failure.h"
#include "harness/workers/job.h"
#include "harness/workers/rank/assignment.h"
#include "harness/workers/rank/inbox.h"
#include "harness/workers/rank/link_watch.h"
#include "harness/workers/rank/pulse.h"
#include "harness/workers/rank/shared_gradients.h"
#include "harness/workers/rank/surroundings.h"
#include "transport/cuda/open.h"
#include "transport/execution/settings.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;

const SteadyClock kClock;  // of this machine, as of what happens to its links

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
      send_message(control, {Message::failed, to_json(failure)});
    } catch (const SystemError&) {
      // The harness has gone; nobody is left to tell.
    }
    cancellation.request();
  };
  watch = std::make_unique<LinkWatch>(LinkWatch::Options{
      .rank = job.rank, .interfaces = interfaces, .clock = kClock, .report = report});
}

/// Memory that is given back when there is no more, so that a worker can still say so.
class Reserve {
 public:
  void give_back() { bytes_.reset(); }

 private:
  static constexpr std::size_t kBytes = 1 << 20;  // so much is a mapping of its own
  std::unique_ptr<std::byte[]> bytes_ = std::make_unique_for_overwrite<std::byte[]>(kBytes);
};

std::vector<transport::PortBinding> bindings_in(const json& ports) {
  return text::from_json<std::vector<transport::PortBinding>>(ports, "ports");
}

json examined(const json& wanted) {
  const execution::TransportKind transport =
      execution::parse_transport(wanted.at("transport").get<std::string>());
  json found = examine_surroundings(bindings_in(wanted.at("ports")), transport, wanted.at("gpu"));
  found["room"] = to_json(testbed::machine_room());
  return found;
}

/// Assignments that a rank has not finished, by number. Only one of them is in its turn;
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
    return text::whole_number<std::size_t>(message.at("assignment"));
  }
  [[nodiscard]] std::optional<FabricError> unanswered() const {
    for (const auto& [number, assignment] : all) {
      if (auto lost = assignment->unanswered()) return lost;
    }
    return std::nullopt;
  }
};

json counted(const json& ports) {
  json all = json::array();
  for (const auto& port : count_ports(bindings_in(ports))) {
    all.push_back({port.sent_bytes, port.received_bytes});
  }
  return all;
}

/// Service of a worker to the harness.
class Service {
 public:
  /// The references must outlive it.
  Service(const WorkerEnds& ends, Meeting& meeting, std::unique_ptr<LinkWatch>& watch)
      : ends_(ends), meeting_(meeting), watch_(watch), pulse_(meeting.clock()) {}

  /// Answers messages until there are no more.
  void run() {
    while (const auto message = ends_.inbox.next()) take(*message);
  }
  [[nodiscard]] std::optional<FabricError> unanswered() const { return assignments_.unanswered(); }

 private:
  void take(const ControlMessage& message) {
    const json& body = message.body;
    switch (message.kind) {
      case Message::job:
        return say(Message::ready, set_up(body));
      case Message::iterate:
        return iterate(body);
      case Message::finish:
        assignments_.all.erase(text::whole_number<std::size_t>(body));
        return say(Message::finished, nullptr);
      case Message::agree_on_time:
        return say(Message::agreed, meeting_.agree_on_time().count());
      case Message::examine:
        return say(Message::examined, examined(body));
      case Message::count:
        return say(Message::counted, counted(body));
      default:
        throw InternalError("no message to a worker: " + to_text(message));
    }
  }

  /// Returns what a training job has measured and decided.
  json set_up(const json& body) {
    const Job job = job_from_json(body);
    if (job.memory == Memory::device && !assignments_.device) {
      assignments_.device = cuda::open_device();
    }
    assignments_.gradients.expect(text::whole_number<std::size_t>(body.at("room")));
    watch_links(job, ends_, watch_);
    const auto& made = assignments_.all[Assignments::number_in(body)] =
        make_assignment(job, {.rendezvous = meeting_.rendezvous(),
                              .cancellation = ends_.cancellation,
                              .clock = meeting_.clock(),
                              .device = assignments_.device.get(),
                              .shared = &assignments_.gradients});
    const std::optional<JobPlan> plan = made->plan();
    return text::to_json(plan);
  }

  /// Many transfers go ahead of the times, in messages of their own.
  void iterate(const json& body) {
    constexpr std::size_t kAtOnce = 1000;
    Assignment& assignment = assignments_.at(body);
    const TimePoint began = kClock.now();
    const IterationRequest request = text::from_json<IterationRequest>(body, "step");
    pulse_.begin();
    record::RankIteration mine = assignment.iterate(request);
    mine.stood_still = pulse_.end(TimePoint(mine.start), TimePoint(mine.end));
    mine.links = watch_->take_events(began);
    json transfers = json::array();
    for (const record::TracedTransfer& transfer : mine.transfers) {
      transfers.push_back(to_json(transfer));
      if (transfers.size() < kAtOnce) continue;
      say(Message::transfers, std::exchange(transfers, json::array()));
    }
    if (!transfers.empty()) say(Message::transfers, std::move(transfers));
    say(Message::iterated, to_json(mine));
  }

  void say(Message kind, json body) const { send_message(ends_.control, {kind, std::move(body)}); }

  const WorkerEnds& ends_;
  Meeting& meeting_;
  std::unique_ptr<LinkWatch>& watch_;
  Pulse pulse_;
  Assignments assignments_;
};

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
      Service service(ends, *meeting, watch);
      service.run();
      // Somebody may be waiting for what this rank sent last.
      if (const auto lost = service.unanswered()) throw *lost;
      return 0;
    } catch (const std::exception& error) {
      reserve.give_back();
      const Failure failure = watch ? watch->explain(error) : describe_failure(error);
      send_message(control, {Message::failed, to_json(failure)});
    }
  } catch (const std::exception&) {
    // The harness has gone; nobody is left to tell.
  }
  return 1;
}

}  // namespace gradwire::workers
