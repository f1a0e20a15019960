#include "harness/workers/session/mpirun_workers.h"

#include <utility>

#include "core/error.h"
#include "harness/workers/control.h"
#include "harness/workers/interrupt.h"
#include "harness/workers/mpi/relay_lines.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

static_assert(relay_lines::kMark == MpirunProcess::kMark);

constexpr Nanoseconds kStartTick = 100ms;  // how late an interrupt may be noticed
constexpr Nanoseconds kOrderlyLeave = 3s;  // for all to end in good order

}  // namespace

MpirunWorkers::MpirunWorkers(const MpirunOptions& options, const Clock& clock, Nanoseconds patience)
    : folder_("gw"),
      mpirun_(folder_, options, clock),
      members_(options.hosts.size()),
      clocks_differ_(!options.one_clock) {
  await_ready(clock, patience);
}

void MpirunWorkers::await_ready(const Clock& clock, Nanoseconds patience) {
  const Deadline deadline(clock, patience);
  while (!ready_) {
    take(kStartTick);
    throw_if_interrupted();
    if (!ready_) mpirun_.require_start(deadline);
  }
}

MpirunWorkers::~MpirunWorkers() {
  try {
    bool all_here = ready_ && !stopped_;
    for (std::size_t i = 0; i < members_.size(); ++i) all_here = all_here && !has_ended(i);
    if (all_here && mpirun_.write(std::string(relay_lines::kStop) + "\n")) {
      mpirun_.await_end(kOrderlyLeave);
    }
  } catch (const std::exception&) {
    // mpirun ends them in another way.
  }
}

void MpirunWorkers::take(Nanoseconds time) {
  mpirun_.wait_for({}, time);
  while (const auto line = mpirun_.take_line()) take_line(*line);
}

void MpirunWorkers::take_line(std::string_view line) {
  if (line == relay_lines::kReady) {
    ready_ = true;
    return;
  }
  relay_lines::RankText answer = relay_lines::parse_answer(line, members_.size());
  Member& member = members_[answer.rank.index()];
  if (answer.text == relay_lines::kEnded) {
    member.ended = true;
  } else {
    member.messages.push_back(std::move(answer.text));
  }
}

bool MpirunWorkers::has_ended(std::size_t rank) const {
  return members_[rank].ended || mpirun_.ending(rank) || mpirun_.is_over();
}

bool MpirunWorkers::send(std::size_t rank, const ControlMessage& message) {
  if (stopped_ || has_ended(rank)) return false;
  return mpirun_.write(relay_lines::order(Rank(rank), to_text(message)) + "\n");
}

std::vector<std::size_t> MpirunWorkers::ready() const {
  std::vector<std::size_t> ranks;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (!member.messages.empty() || (has_ended(i) && !member.told)) ranks.push_back(i);
  }
  return ranks;
}

std::vector<std::size_t> MpirunWorkers::poll(Nanoseconds time) {
  take(ready().empty() ? time : 0ns);
  return ready();
}

std::optional<ControlMessage> MpirunWorkers::receive(std::size_t rank) {
  Member& member = members_[rank];
  if (!member.messages.empty()) {
    const std::string text = std::move(member.messages.front());
    member.messages.pop_front();
    return parse_message(text);
  }
  member.told = true;
  return std::nullopt;
}

WorkerEnding MpirunWorkers::ending(std::size_t rank) {
  Member& member = members_[rank];
  member.told = true;
  if (member.ended && !mpirun_.ending(rank)) return {.text = "exited with 0"};
  if (const auto& known = mpirun_.await_ending(rank)) return *known;
  return {.text = mpirun_.end_of_all(), .with_others = true};
}

void MpirunWorkers::stop() {
  stopped_ = true;
  mpirun_.close_input();
}

}  // namespace gradwire::workers
