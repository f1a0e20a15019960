#include "harness/emulated/session.h"

#include <cerrno>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "harness/control.h"
#include "harness/interrupt.h"

namespace gradwire::harness {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr int kTick = 100;  // milliseconds: how late an interrupt or a deadline may be noticed
/// How long the other ranks have to notice the same failure, before they are stopped.
constexpr Nanoseconds kWitnesses = 300ms;
constexpr Nanoseconds kLastWords = 2s;
/// Beyond the timeout of what a worker waits for: starting up, filling and verifying gradients.
constexpr Nanoseconds kSlack = 5s;
constexpr Nanoseconds kSlackPerElement = 10ns;

transport::tcp::RunKey random_key() {
  transport::tcp::RunKey key{};
  if (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    throw SystemError("getrandom", errno);
  }
  return key;
}

}  // namespace

Session::Session(const topologies::Topology& topology, const topologies::AddressPlan& addresses,
                 testbed::Emulation& emulation, const Clock& clock)
    : topology_(topology), addresses_(addresses), clock_(clock) {
  for (std::size_t i = 0; i < topology.hosts(); ++i) {
    ControlPair pair = make_control_pair();
    auto process = testbed::ChildProcess::start({.arguments = {"/proc/self/exe", "worker"},
                                                 .namespace_fd = emulation.namespace_of(Rank(i)),
                                                 .control = pair.theirs.get()});
    workers_.push_back(
        {.control = std::move(pair.ours), .process = std::move(process), .end = {.rank = Rank(i)}});
  }
}

std::optional<JobPlan> Session::assign(Job job) {
  job.key = random_key();
  const auto elements = static_cast<Nanoseconds::rep>(job.elements * workers_.size());
  patience_ = job.timeout + kSlack + elements * kSlackPerElement;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    job.rank = Rank(i);
    job.ports.clear();
    const auto& ports = addresses_.nodes[i].ports;
    for (std::size_t port = 0; port < ports.size(); ++port) {
      job.ports.push_back({.device = testbed::Emulation::interface_of(Port(port)),
                           .address = to_string(ports[port].address)});
    }
    tell(i, {{"job", to_json(job)}});
  }
  const json answer = collect("ready", patience_).front();
  if (!answer.is_object()) return std::nullopt;
  return job_plan_from_json(answer);
}

std::vector<RankIteration> Session::iterate(const IterationRequest& request, Nanoseconds expected) {
  tell_all({{"iterate", to_json(request)}});
  std::vector<RankIteration> iterations;
  for (const json& answer : collect("iterated", 4 * expected + patience_)) {
    iterations.push_back(rank_iteration_from_json(answer));
    iterations.back().transfers = std::exchange(workers_[iterations.size() - 1].transfers, {});
  }
  return iterations;
}

void Session::tell(std::size_t rank, const json& message) {
  try {
    send_message(workers_[rank].control.get(), message);
  } catch (const SystemError&) {
    note_ending(rank);
    fail();
  }
}

void Session::tell_all(const json& message) {
  for (std::size_t i = 0; i < workers_.size(); ++i) tell(i, message);
}

std::vector<json> Session::collect(const std::string& key, Nanoseconds patience) {
  Deadline deadline(clock_, patience);
  std::vector<json> answers(workers_.size());
  std::vector<json> gathered(workers_.size());
  std::size_t answers_left = workers_.size();
  std::size_t gathers_left = workers_.size();
  while (answers_left > 0) {
    for (const std::size_t rank : poll_workers()) {
      const std::optional<json> message = receive_message(workers_[rank].control.get());
      if (!message || message->contains("failed")) {
        if (message) note_failure(rank, *message);
        if (!message) note_ending(rank);
        fail();
      }
      if (message->contains("gather")) {
        gathered[rank] = message->at("gather");
        if (--gathers_left > 0) continue;
        tell_all({{"gathered", gathered}});
        gathers_left = workers_.size();
        gathered.assign(workers_.size(), json());
        deadline = Deadline(clock_, patience);
      } else if (message->contains("transfers")) {
        for (const json& transfer : message->at("transfers")) {
          workers_[rank].transfers.push_back(traced_transfer_from_json(transfer));
        }
      } else {
        answers[rank] = message->at(key);
        --answers_left;
      }
    }
    if (deadline.passed() && answers_left > 0) {
      std::vector<std::size_t> missing;
      for (std::size_t i = 0; i < answers.size(); ++i) {
        // Those at the rendezvous wait for the others; whoever did neither is what all wait for.
        if (answers[i].is_null() && gathered[i].is_null()) missing.push_back(i);
      }
      throw overdue(missing, patience);
    }
  }
  return answers;
}

std::vector<std::size_t> Session::poll_workers() {
  throw_if_interrupted();
  std::vector<pollfd> polled;
  for (const Worker& worker : workers_) {
    const bool ended = !worker.end.ending.empty();
    polled.push_back({.fd = ended ? -1 : worker.control.get(), .events = POLLIN, .revents = 0});
  }
  if (::poll(polled.data(), polled.size(), kTick) < 0 && errno != EINTR) {
    throw SystemError("poll", errno);
  }
  throw_if_interrupted();
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents != 0) ready.push_back(i);
  }
  return ready;
}

void Session::note_failure(std::size_t rank, const json& message) {
  workers_[rank].end.failure = failure_from_json(message.at("failed"));
}

void Session::note_ending(std::size_t rank) {
  const auto ending = workers_[rank].process.wait(Deadline(clock_, kLastWords));
  workers_[rank].end.ending = ending ? to_string(*ending) : "closed its control connection";
}

void Session::fail() {
  hear_last_words(kWitnesses);
  for (const Worker& worker : workers_) ::shutdown(worker.control.get(), SHUT_WR);
  hear_last_words(kLastWords);
  std::vector<RankEnd> ends;
  for (const Worker& worker : workers_) ends.push_back(worker.end);
  throw find_culprit(ends);
}

void Session::hear_last_words(Nanoseconds time) {
  const Deadline deadline(clock_, time);
  while (!deadline.passed()) {
    bool all_ended = true;
    for (const Worker& worker : workers_) all_ended = all_ended && !worker.end.ending.empty();
    if (all_ended) return;
    for (const std::size_t rank : poll_workers()) {
      const std::optional<json> message = receive_message(workers_[rank].control.get());
      if (!message) note_ending(rank);
      if (message && message->contains("failed")) note_failure(rank, *message);
    }
  }
}

FabricError Session::overdue(const std::vector<std::size_t>& missing, Nanoseconds patience) const {
  FabricPlace place;
  if (!missing.empty()) place.rank = Rank(missing.front());
  return {FabricFailure::stalled, place,
          fmt::format("no answer within {} from rank {} on {}", format_duration(patience),
                      fmt::join(missing, ", "), topology_.name())};
}

}  // namespace gradwire::harness
