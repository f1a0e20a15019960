#include "harness/commands/doctor.h"

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/clock.h"
#include "core/name_table.h"
#include "core/text/table.h"
#include "harness/commands/exit_code.h"
#include "harness/workers/rank/gpu_findings.h"
#include "testbed/doctor.h"

namespace gradwire::commands {
namespace {

using State = testbed::Check::State;

constexpr NameTable<State, 3> kStates({{"ok", State::ok},
                                       {"warning", State::warning},
                                       {"MISSING", State::missing}});

int run_doctor() {
  int exit_code = kExitOk;
  fmt::print("# what 'backing: emulated' needs of this machine\n");
  std::vector<std::vector<std::string>> rows;
  for (const testbed::Check& check : testbed::examine()) {
    rows.push_back({std::string(kStates.name_of(check.state)), check.name, check.detail});
    if (!check.remedy.empty()) rows.push_back({"", "", "-> " + check.remedy});
    if (check.state == State::missing) exit_code = kExitPreflight;
  }
  static constexpr std::array<text::Heading, 3> kColumns{
      {{.left = true}, {.left = true}, {.left = true}}};
  fmt::print("{}", text::format_columns(kColumns, std::move(rows), text::kNoMargins));
  fmt::print("# {}\n", exit_code == kExitOk ? "this machine can run emulated experiments"
                                            : "this machine cannot run emulated experiments yet");
  return exit_code;
}

/// Checks what `memory: device` needs of this machine.
int run_gpu_doctor() {
  const workers::GpuFindings found = workers::find_gpu(SteadyClock());
  fmt::print("{}", workers::to_text(found));
  return found.usable() ? kExitOk : kExitPreflight;
}

}  // namespace

void add_doctor_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("doctor", "Says whether this machine can emulate wirings");
  const auto gpu = std::make_shared<bool>(false);
  command->add_flag("--gpu", *gpu,
                    "Says instead which GPU can hold gradients, and how fast its bus is");
  command->callback([gpu, &exit_code] { exit_code = *gpu ? run_gpu_doctor() : run_doctor(); });
}

}  // namespace gradwire::commands
