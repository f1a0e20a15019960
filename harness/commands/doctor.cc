#include "harness/commands/doctor.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/commands/exit_code.h"
#include "testbed/doctor.h"

namespace gradwire::commands {
namespace {

using State = testbed::Check::State;

const char* word(State state) {
  switch (state) {
    case State::ok:
      return "ok";
    case State::warning:
      return "warning";
    case State::missing:
      return "MISSING";
  }
  return "";
}

int run_doctor() {
  int exit_code = kExitOk;
  fmt::print("# what 'backing: emulated' needs of this machine\n");
  for (const testbed::Check& check : testbed::examine()) {
    fmt::print("{:8} {:28} {}\n", word(check.state), check.name, check.detail);
    if (!check.remedy.empty()) fmt::print("{:8} {:28} -> {}\n", "", "", check.remedy);
    if (check.state == State::missing) exit_code = kExitPreflight;
  }
  fmt::print("# {}\n", exit_code == kExitOk ? "this machine can run emulated experiments"
                                            : "this machine cannot run emulated experiments yet");
  return exit_code;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("doctor", "Says whether this machine can emulate wirings");
  command->callback([&exit_code] { exit_code = run_doctor(); });
}

}  // namespace gradwire::commands
