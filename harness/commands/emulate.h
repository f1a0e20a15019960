#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gradwire::commands {

/// The words of a command of somebody else, the program first.
using ForeignCommand = std::vector<std::string>;

/// Cuts what stands behind the first "--" of `gradwire emulate` off the command line, the "--"
/// included, by lowering `argc`. The words are not ours to read, nor CLI11's: it takes "[a]" for a
/// list. Nothing for other commands, and without a "--".
[[nodiscard]] std::optional<ForeignCommand> cut_foreign(int& argc, char** argv);

/// gradwire emulate WIRING [options] -- COMMAND...: runs `foreign` on every host of an emulated
/// wiring.
void add_emulate_command(CLI::App& app, const std::optional<ForeignCommand>& foreign,
                         int& exit_code);

}  // namespace gradwire::commands
