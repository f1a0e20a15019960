#include "harness/workers/session/session.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text/json.h"
#include "core/text/whole_number.h"
#include "harness/workers/interrupt.h"
#include "harness/workers/link_failure.h"
#include "harness/workers/rank/link_watch.h"
#include "workloads/dense.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

constexpr Nanoseconds kSessionTick = 100ms;  // how late an interrupt or a deadline may be noticed
/// Time that the other ranks have to notice the same failure, before they are stopped.
constexpr Nanoseconds kWitnesses = 300ms;
constexpr Nanoseconds kLastMessages = 2s;
/// Beyond the timeout of what a worker waits for: starting up, filling and verifying gradients.
constexpr Nanoseconds kSlack = 5s;
constexpr Nanoseconds kSlackPerElement = 10ns;
/// Slack for products of matrices: for a multiply-add of each rank, in double precision, too.
constexpr double kSlackPerProduct = 1e-9;  // seconds
constexpr double kMostSlack = 1e6;         // seconds
/// Reading a program and some libraries from a slow disk.
constexpr Nanoseconds kExamining = 20s;
/// Clocks drift by some tens of microseconds a second against each other at most.
constexpr Nanoseconds kClocksAgree = 3s;

/// Slack of a job of fully connected layers for its products: all ranks may be on one machine.
Nanoseconds slack_for_products(const Job& job, std::size_t ranks) {
  if (job.task.workload.dense() == nullptr) return Nanoseconds::zero();
  const workloads::DenseStack& stack = *job.task.workload.dense();
  const double each =
      static_cast<double>(ranks * stack.samples) * static_cast<double>(stack.weights());
  const double slack = kSlackPerProduct * each * static_cast<double>(ranks);
  return std::chrono::duration_cast<Nanoseconds>(Seconds(std::min(slack, kMostSlack)));
}

}  // namespace

Session::Session(Ground ground, std::unique_ptr<Workers> workers, const Clock& clock)
    : ground_(std::move(ground)),
      workers_(std::move(workers)),
      clock_(clock),
      members_(workers_->size()) {
  ensure(ground_.ports.size() == members_.size(), "every rank has its ports");
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i].end.rank = Rank(i);
}

Session::Assigned Session::assign(Job job, std::size_t room) {
  job.key = transport::random_nonce();
  job.transport = ground_.transport;
  const auto elements = static_cast<Nanoseconds::rep>(amount_of(job).elements * members_.size());
  Assigned assigned{.number = assigned_++,
                    .timeout = job.timeout,
                    .patience = job.timeout + kSlack + elements * kSlackPerElement +
                                slack_for_products(job, members_.size())};
  turn_to(assigned);
  agreed_.reset();
  agree_on_time();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    job.rank = Rank(i);
    job.ports = ground_.ports[i];
    json body = to_json(job);
    body["assignment"] = assigned.number;
    body["room"] = room;
    tell(i, {Message::job, std::move(body)});
  }
  const json answer = collect(Message::ready, patience_).front();
  if (!answer.is_null()) assigned.plan = text::from_json<JobPlan>(answer, "job plan");
  return assigned;
}

void Session::finish(const Assigned& assigned) {
  turn_to(assigned);
  tell_all({Message::finish, assigned.number});
  static_cast<void>(collect(Message::finished, patience_));
}

void Session::turn_to(const Assigned& assigned) {
  timeout_ = assigned.timeout;
  patience_ = assigned.patience;
}

std::vector<record::RankIteration> Session::iterate(const Assigned& assigned,
                                                    const IterationRequest& request,
                                                    Nanoseconds expected) {
  turn_to(assigned);
  agree_on_time();
  json body = text::to_json(request);
  body["assignment"] = assigned.number;
  tell_all({Message::iterate, std::move(body)});
  std::vector<record::RankIteration> iterations;
  for (const json& answer : collect(Message::iterated, 4 * expected + patience_)) {
    iterations.push_back(record::rank_iteration_from_json(answer));
    iterations.back().transfers = std::exchange(members_[iterations.size() - 1].transfers, {});
  }
  return iterations;
}

std::vector<json> Session::examine() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    tell(i, {Message::examine,
             {{"ports", text::to_json(ground_.ports[i])},
              {"transport", to_string(ground_.transport.kind)},
              {"gpu", ground_.memory == Memory::device}}});
  }
  return collect(Message::examined, kExamining);
}

std::vector<testbed::LinkCounters> Session::count_ports() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    tell(i, {Message::count, text::to_json(ground_.ports[i])});
  }
  std::vector<testbed::LinkCounters> all;
  for (const json& rank : collect(Message::counted, kExamining)) {
    for (const json& port : rank) {
      all.push_back({.sent_bytes = port.at(0), .received_bytes = port.at(1)});
    }
  }
  return all;
}

void Session::agree_on_time() {
  if (!workers_->clocks_differ() || (agreed_ && !agreed_->passed())) return;
  tell_all({Message::agree_on_time});
  clock_error_ = Nanoseconds::zero();
  for (const json& answer : collect(Message::agreed, patience_)) {
    clock_error_ =
        std::max(*clock_error_, Nanoseconds(text::whole_number<Nanoseconds::rep>(answer)));
  }
  agreed_.emplace(clock_, kClocksAgree);
}

void Session::tell(std::size_t rank, const ControlMessage& message) {
  if (!workers_->send(rank, message)) fail();  // which hears why
}

void Session::tell_all(const ControlMessage& message) {
  for (std::size_t i = 0; i < members_.size(); ++i) tell(i, message);
}

/// Answers that are still missing while all ranks are asked for one. Ranks may meet (gather) any
/// number of times before they answer.
struct Session::Collecting {
  Message kind;
  Deadline deadline;
  std::vector<std::optional<json>> answers;  ///< by rank
  std::vector<json> gathered;  ///< by rank: the text it brought to the meeting under way, or null

  [[nodiscard]] bool is_done() const {
    return std::ranges::all_of(answers, &std::optional<json>::has_value);
  }
  [[nodiscard]] bool all_gathered() const {
    return std::ranges::none_of(gathered, [](const json& one) { return one.is_null(); });
  }
  /// Ranks that neither met nor answered: all wait for them, also those at a meeting.
  [[nodiscard]] std::vector<std::size_t> missing() const {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i] && gathered[i].is_null()) ranks.push_back(i);
    }
    return ranks;
  }
};

std::vector<json> Session::collect(Message kind, Nanoseconds patience) {
  Collecting collecting{.kind = kind,
                        .deadline = Deadline(clock_, patience),
                        .answers = std::vector<std::optional<json>>(members_.size()),
                        .gathered = std::vector<json>(members_.size())};
  awaited_.clear();
  for (Member& member : members_) member.still.reset();
  while (!collecting.is_done()) {
    const std::vector<std::size_t> ready = poll_workers();
    for (const std::size_t rank : ready) {
      if (take(rank, collecting)) collecting.deadline = Deadline(clock_, patience);
    }
    if (ready.empty()) look_after(collecting.missing());
    if (!collecting.is_done()) look_between();
    if (collecting.deadline.passed() && !collecting.is_done()) {
      throw overdue(awaited_.empty() ? collecting.missing() : awaited_, patience);
    }
  }
  std::vector<json> answers;
  for (std::optional<json>& answer : collecting.answers) answers.push_back(std::move(*answer));
  return answers;
}

bool Session::take(std::size_t rank, Collecting& collecting) {
  std::optional<ControlMessage> message = workers_->receive(rank);
  if (!message) {
    note_ending(rank);
    fail();
  }
  switch (message->kind) {
    case Message::failed:
      note_failure(rank, message->body);
      fail();
    case Message::gather:
      collecting.gathered[rank] = std::move(message->body);
      if (!collecting.all_gathered()) return false;
      tell_all({Message::gathered, collecting.gathered});
      collecting.gathered.assign(members_.size(), json());
      return true;
    case Message::awaited:
      awaited_ = message->body.get<std::vector<std::size_t>>();
      return awaited_.empty();
    case Message::transfers:
      for (const json& transfer : message->body) {
        members_[rank].transfers.push_back(record::traced_transfer_from_json(transfer));
      }
      return false;
    default:
      ensure(message->kind == collecting.kind, "a worker answers what it is asked");
      collecting.answers[rank] = std::move(message->body);
      return false;
  }
}

std::vector<std::size_t> Session::poll_workers() {
  throw_if_interrupted();
  auto ready = workers_->poll(kSessionTick);
  throw_if_interrupted();
  return ready;
}

void Session::look_between() const {
  if (!ground_.find_down) return;
  if (const auto down = ground_.find_down(LinkWatch::kGrace)) throw *down;
}

void Session::note_failure(std::size_t rank, const json& failure) {
  members_[rank].end.failure = failure_from_json(failure);
}

void Session::note_ending(std::size_t rank) {
  WorkerEnding ending = workers_->ending(rank);
  RankEnd& end = members_[rank].end;
  end.ending = std::move(ending.text);
  end.with_others = ending.with_others;
  end.host_lost = ending.host_lost;
  end.asked = asked_;
}

void Session::look_after(const std::vector<std::size_t>& missing) {
  for (const std::size_t rank : missing) {
    std::optional<Deadline>& still = members_[rank].still;
    if (workers_->standing(rank).empty()) {
      still.reset();
    } else if (!still) {
      still.emplace(clock_, timeout_);
    } else if (still->passed()) {
      fail();
    }
  }
}

void Session::fail() {
  hear_last_words(kWitnesses);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    RankEnd& end = members_[i].end;
    if (end.ending.empty() && !end.failure) end.standing = workers_->standing(i);
  }
  workers_->stop();
  asked_ = true;
  hear_last_words(kLastMessages);
  throw judge();
}

FabricError Session::judge() const {
  std::vector<RankEnd> ends;
  for (const Member& member : members_) ends.push_back(member.end);
  const FabricError culprit = find_culprit(ends);
  switch (culprit.failure()) {
    case FabricFailure::link_down:
      if (!ground_.wiring) return culprit;
      return find_failed_switch(ends, *ground_.wiring).value_or(culprit);
    case FabricFailure::stalled:
    case FabricFailure::unanswered:
    case FabricFailure::cancelled:
      // That nothing gets through is all that ranks know of a switch.
      return ground_.find_down ? ground_.find_down({}).value_or(culprit) : culprit;
    default:
      return culprit;
  }
}

void Session::hear_last_words(Nanoseconds time) {
  const Deadline deadline(clock_, time);
  while (!deadline.passed()) {
    bool all_ended = true;
    for (const Member& member : members_) {
      const bool ends = member.end.standing.empty();  // who stands still hears nothing
      all_ended = all_ended && (!member.end.ending.empty() || !ends);
    }
    if (all_ended) return;
    for (const std::size_t rank : poll_workers()) {
      const std::optional<ControlMessage> message = workers_->receive(rank);
      if (!message) note_ending(rank);
      if (message && message->kind == Message::failed) note_failure(rank, message->body);
    }
  }
}

FabricError Session::overdue(const std::vector<std::size_t>& missing, Nanoseconds patience) const {
  FabricPlace place;
  if (!missing.empty()) place.rank = Rank(missing.front());
  return {FabricFailure::stalled, place,
          fmt::format("no answer within {} from rank {} on {}", format_duration(patience),
                      fmt::join(missing, ", "), ground_.name)};
}

}  // namespace gradwire::workers
