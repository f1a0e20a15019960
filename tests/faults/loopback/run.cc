#include "tests/faults/loopback/run.h"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "harness/workers/culprit.h"
#include "tests/faults/loopback/fabric.h"
#include "tests/faults/loopback/rank_life.h"

// How the end of a run comes about, as in harness/workers/session/session.cc: the first rank that
// fails, or dies, begins it. The others have kWitnesses to notice the same by themselves; then they
// are told to stop, and what all have said is judged.
namespace gradwire::faults {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kWitnesses = 300ms;
/// A busy machine needs more than the moment that it takes.
constexpr Nanoseconds kLastWords = 10s;
/// No run takes so long.
constexpr Nanoseconds kHang = 30s;

class Run {
 public:
  explicit Run(const Scenario& scenario)
      : scenario_(scenario), fabric_(scenario, [this] { note_stop(); }) {
    for (std::size_t i = 0; i < scenario.ranks(); ++i) lives_.emplace_back(fabric_, Rank(i));
    ends_.resize(scenario.ranks());
  }

  Outcome outcome() {
    for (std::size_t i = 0; i < lives_.size(); ++i) {
      threads_.emplace_back([this, i] { end(i, lives_[i].live()); });
    }
    Outcome outcome;
    if (!wait(kHang, [this] { return is_troubled_ || ended_ == lives_.size(); })) {
      outcome.hung = true;
    }
    if (outcome.hung || is_troubled_) outcome.verdict = stop_and_judge(outcome);
    fabric_.release().open();
    if (!wait(kHang, [this] { return ended_ == lives_.size(); })) abandon();
    for (std::thread& thread : threads_) thread.join();
    fill_in(outcome);
    return outcome;
  }

 private:
  template <class Condition>
  bool wait(Nanoseconds time, Condition condition) {
    std::unique_lock lock(mutex_);
    return news_.wait_for(lock, time, condition);
  }

  void note_stop() {
    const std::scoped_lock lock(mutex_);
    ++stopped_;
    news_.notify_all();
  }

  void end(std::size_t rank, const RankEnding& ending) {
    const std::scoped_lock lock(mutex_);
    ++ended_;
    ends_[rank] = ending;
    const bool dies_in_silence = ending.is_dead && !scenario_.deaths_are_seen;
    if (!ending.completed && !ending.has_stopped && !dies_in_silence) is_troubled_ = true;
    news_.notify_all();
  }

  std::optional<FabricError> stop_and_judge(Outcome& outcome) {
    static_cast<void>(wait(kWitnesses, [this] { return ended_ == lives_.size(); }));
    fabric_.stop();
    const auto all_done = [this] { return ended_ + stopped_ == lives_.size(); };
    if (!wait(kLastWords, all_done)) outcome.hung = true;
    const std::scoped_lock lock(mutex_);
    if (!is_troubled_) return std::nullopt;
    std::vector<workers::RankEnd> ends;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      workers::RankEnd end{.rank = Rank(i)};
      if (ends_[i]) {
        end.failure = ends_[i]->failure;
        if (end.failure) end.ending = "exited with 1";
        if (ends_[i]->is_dead && scenario_.deaths_are_seen) {
          end.ending = "was killed by signal 9 (Killed)";
        }
      }
      ends.push_back(std::move(end));
    }
    FabricError verdict = workers::find_culprit(ends);
    if (const auto at = fabric_.incident().at()) outcome.time = SteadyClock().now() - *at;
    return verdict;
  }

  void fill_in(Outcome& outcome) {
    outcome.completed = true;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      outcome.completed = outcome.completed && ends_[i]->completed;
      const auto& checks = lives_[i].checks();
      outcome.checks.insert(outcome.checks.end(), checks.begin(), checks.end());
    }
    outcome.claim = fabric_.claim();
    outcome.was_injected = fabric_.incident().at().has_value();
    if (!outcome.time && fabric_.wrong_found().at() && fabric_.incident().at()) {
      outcome.time = *fabric_.wrong_found().at() - *fabric_.incident().at();
    }
  }

  /// Threads cannot be ended from outside.
  [[noreturn]] void abandon() {
    std::string text =
        fmt::format("run {} hangs for good: {}\n", scenario_.number, describe(scenario_));
    for (std::size_t i = 0; i < lives_.size(); ++i) {
      text += fmt::format("  rank {}: {}{}\n", i, lives_[i].where(), ends_[i] ? ", ended" : "");
    }
    fmt::print(stderr, "{}", text);
    std::fflush(nullptr);
    std::_Exit(1);
  }

  const Scenario& scenario_;
  std::mutex mutex_;
  std::condition_variable news_;
  bool is_troubled_ = false;
  std::size_t ended_ = 0;
  std::size_t stopped_ = 0;  ///< ranks that have stopped for ever
  std::vector<std::optional<RankEnding>> ends_;
  Fabric fabric_;
  std::deque<RankLife> lives_;
  std::vector<std::thread> threads_;
};

}  // namespace

Outcome run(const Scenario& scenario) {
  return Run(scenario).outcome();
}

}  // namespace gradwire::faults
