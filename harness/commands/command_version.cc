#include "harness/commands/command_version.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/exit_code.h"
#include "harness/report/build_info.h"

namespace gradwire::harness {

void add_version_command(CLI::App& app, int& exit_code) {
  app.add_subcommand("version", "Print the version and what it was built from")
      ->callback([&exit_code] {
        fmt::print("{}\n", version_line());
        exit_code = kExitOk;
      });
}

}  // namespace gradwire::harness
