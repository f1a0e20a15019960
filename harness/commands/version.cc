#include "harness/commands/version.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/commands/exit_code.h"
#include "results/record/build_info.h"

namespace gradwire::commands {

void add_version_command(CLI::App& app, int& exit_code) {
  app.add_subcommand("version", "Print the version and what it was built from")
      ->callback([&exit_code] {
        fmt::print("{}\n{}\n", record::version_line(),
                   record::libraries_line(record::build_info().libraries));
        exit_code = kExitOk;
      });
}

}  // namespace gradwire::commands
