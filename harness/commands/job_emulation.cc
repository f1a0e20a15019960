#include "harness/commands/job_emulation.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "core/caretaker.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/text/table.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/number_options.h"
#include "harness/commands/override_options.h"
#include "harness/workers/failure.h"
#include "harness/workers/interrupt.h"
#include "testbed/memory_kills.h"
#include "testbed/sandbox.h"

namespace gradwire::commands {
namespace {

using record::Backing;

int run_inside(const std::function<int(run::Progress&)>& body) try {
  const SteadyClock clock;
  run::Progress progress(std::cerr, clock,
                         {.total = 1,
                          .live = run::is_live_terminal(STDERR_FILENO),
                          .width = run::terminal_width(STDERR_FILENO)});
  const int code = body(progress);
  // Here, since no later code looks at what the process of a sandbox has printed.
  if (std::fflush(stdout) != 0) throw SystemError("write to stdout", errno);
  return code;
} catch (const workers::Interrupted& interrupted) {
  return kSignalled + interrupted.signal();
} catch (const std::exception& error) {
  fmt::print(stderr, "gradwire: error: {}\n", workers::describe_failure(error).message);
  return exit_code_of(std::current_exception());
}

}  // namespace

void add_job_emulation(CLI::App& command, JobEmulation& emulation) {
  const auto with_default = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help)->capture_default_str();
  };
  with_default("--backing", emulation.backing,
               "simulated, emulated on this machine, or both with a comma between them")
      ->type_name("");
  with_default("--runs", emulation.runs,
               "number of emulated runs, of which the median one is shown")
      ->transform(whole_number(1, 10'000));
  with_default("--dilation", emulation.dilation, "factor by which the emulation is slower, or auto")
      ->check(readable(parse_dilation))
      ->type_name("");
  with_default("--timeout", emulation.timeout,
               "an emulation fails when nothing moves for this long")
      ->check(readable(parse_positive_duration))
      ->type_name("");
}

std::vector<Backing> job_backings(const JobEmulation& emulation) {
  std::vector<Backing> backings;
  std::istringstream words(emulation.backing);
  for (std::string word; std::getline(words, word, ',');) {
    const auto backing = record::find_backing(word);
    const bool is_known = backing && *backing != Backing::hosts;
    if (!is_known || std::ranges::find(backings, *backing) != backings.end()) {
      throw InputError(fmt::format(
          "--backing: jobs are simulated, emulated, or both with a comma between them; found '{}'",
          emulation.backing));
    }
    backings.push_back(*backing);
  }
  std::ranges::sort(backings, std::greater<>());
  return backings;
}

run::JobsGround ground_of(const JobEmulation& emulation, const LinkOptions& links,
                          std::shared_ptr<const topologies::Topology> topology) {
  if (parse_duration(links.delay) > Nanoseconds::zero()) {
    throw InputError(
        "--delay: emulated cables have none; leave it out, or give --backing simulated");
  }
  const Nanoseconds timeout = parse_duration(emulation.timeout);
  experiment::check_timeout(timeout);
  return {.topology = std::move(topology),
          .rate = parse_bit_rate(links.rate),
          .mtu = links.mtu,
          .startup = parse_duration(links.startup),
          .dilation = parse_dilation(emulation.dilation).factor,
          .timeout = timeout};
}

int with_emulation(const std::function<int(run::Progress&)>& body) {
  const Caretaker caretaker;
  const testbed::MemoryKills memory_kills;
  workers::note_interrupts();  // before there is a sandbox, whose first process they could not end
  const testbed::Ending ending = testbed::run_in_sandbox([&body] { return run_inside(body); });
  if (!ending.signal) return ending.exit_code;
  fmt::print(stderr, "gradwire: error: the process that emulates {}\n",
             memory_kills.explain(ending));
  return kExitRunFailed;
}

std::vector<std::string> emulation_notes(const run::MeasuredJobs& measured, std::size_t tenant,
                                         const simulator::JobOutcome& simulated, double dilation) {
  std::vector<double> ends;
  for (const auto& run : measured.runs) ends.push_back(run[tenant].ends.back());
  const auto [least, most] = std::ranges::minmax(ends);
  const double middle = run::middle_run(measured, tenant).ends.back();
  const double expected = simulated.ends.back();
  std::vector<std::string> notes;
  notes.push_back(fmt::format(
      "Emulated {} times with a dilation of {:g}: over after {} to {} us, {} of them disturbed.",
      measured.runs.size(), dilation, text::microseconds(Seconds(least)),
      text::microseconds(Seconds(most)), measured.disturbed));
  notes.push_back(fmt::format(
      "The middle one is shown{}.",
      expected > 0 ? fmt::format(", {:+.1f} % from the simulation", 100 * (middle / expected - 1))
                   : ""));
  notes.push_back(fmt::format(
      "Results verified: {}; elements wrong: {}; flags: {}.", measured.verified[tenant],
      measured.wrong[tenant],
      measured.flags.empty() ? "none" : fmt::format("{}", fmt::join(measured.flags, ", "))));
  return notes;
}

}  // namespace gradwire::commands
