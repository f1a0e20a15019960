#include "harness/commands/completion.h"

#include <map>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/commands/completion_tree.h"
#include "harness/commands/exit_code.h"

namespace gradwire::commands {
namespace {

const std::map<std::string, std::string (*)(const CompletedCommand&)> kShells{
    {"bash", bash_completion}, {"zsh", zsh_completion}};

}  // namespace

void add_completion_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "completion", "Prints a script that completes commands, options and names in a shell");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "the shell that reads the script")
      ->required()
      ->check(CLI::IsMember(&kShells));
  command->footer("source <(gradwire completion bash)    # in ~/.bashrc; likewise for zsh");
  command->callback([shell, &app, &exit_code] {
    fmt::print("{}", kShells.at(*shell)(completed_command(app)));
    exit_code = kExitOk;
  });
}

}  // namespace gradwire::commands
