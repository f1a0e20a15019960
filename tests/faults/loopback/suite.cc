#include "tests/faults/loopback/suite.h"

#include <cstdio>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "tests/faults/loopback/judge.h"
#include "tests/faults/loopback/run.h"
#include "tests/faults/loopback/wall_clock.h"

namespace gradwire::faults {
namespace {

/// Makes what a run has come to look like what must be found.
void plant(Canary canary, Outcome& outcome) {
  if (canary == Canary::hang) outcome.hung = true;
  if (canary == Canary::wrong_sum) {
    for (SumCheck& check : outcome.checks) check.counted = 0;
  }
  if (canary == Canary::culprit && outcome.verdict) {
    outcome.verdict =
        FabricError(outcome.verdict->failure(), {.rank = Rank(4096)}, "rank 4096 did it");
  }
}

/// A machine that is too busy for a short timeout may end a run before its fault.
Outcome run_until_injected(const Scenario& scenario) {
  constexpr int kMostTries = 5;
  Outcome outcome = faults::run(scenario);
  for (int tries = 1; !outcome.was_injected && tries < kMostTries; ++tries) {
    outcome = faults::run(scenario);
  }
  return outcome;
}

}  // namespace

Suite::Suite(Options options) : options_(std::move(options)), tally_(options_.cases) {
  if (options_.time) deadline_.emplace(clock_, *options_.time);
}

void Suite::run() {
  if (options_.alone) return run_one(*options_.alone);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < options_.jobs; ++i) workers.emplace_back(&Suite::work, this);
  for (std::thread& worker : workers) worker.join();
  if (::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r{:60}\r", "");
}

void Suite::work() {
  while (const auto number = next()) {
    run_one(*number);
    ++done_;
    say_progress();
  }
}

std::optional<std::size_t> Suite::next() {
  const std::size_t number = next_++ * options_.parts + options_.part - 1;
  const bool is_over = deadline_ ? deadline_->passed() : number >= options_.runs;
  if (is_over) return std::nullopt;
  return number;
}

const Case& Suite::case_of(std::size_t number) const {
  const std::size_t cases = options_.cases.size();
  return *options_.cases[(number + number / cases) % cases];
}

void Suite::run_one(std::size_t number) {
  const Case& kind = case_of(number);
  const Scenario scenario = draw(kind, options_.seed, number);
  if (options_.alone) say(fmt::format("{}: {}", kind.name, describe(scenario)));
  std::optional<WallClockJumps> jumps;
  if (scenario.clock_jumps) jumps.emplace();
  Outcome outcome = run_until_injected(scenario);
  plant(options_.canary, outcome);
  const Judgement judgement = judge(scenario, outcome);
  tally_.add(kind, outcome, judgement);
  if (options_.alone && outcome.verdict) say(outcome.verdict->what());
  if (judgement.wrong_in.empty()) return;
  say(fmt::format("--seed {} --only {} --number {}: {}\n  {}", options_.seed, kind.name, number,
                  judgement.wrong_in, describe(scenario)));
}

void Suite::say_progress() {
  if (::isatty(STDERR_FILENO) != 1) return;
  const std::size_t done = done_;
  if (done % 10 != 0) return;
  const std::scoped_lock lock(output_);
  const std::size_t all = (options_.runs + options_.parts - options_.part) / options_.parts;
  fmt::print(stderr, "\r{} runs",
             deadline_ ? fmt::to_string(done) : fmt::format("{} of {}", done, all));
  std::fflush(stderr);
}

void Suite::say(const std::string& line) {
  const std::scoped_lock lock(output_);
  fmt::print(stderr, "{}\n", line);
}

}  // namespace gradwire::faults
