#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Words of a foreign command, the program first.
using ForeignCommand = std::vector<std::string>;

/// Cuts off what is behind the first "--" of `gradwire emulate`, the "--" included, by lowering
/// `argc`. CLI11 must not read these words, as it takes "[a]" for a list. Nothing for other
/// commands, and without a "--".
[[nodiscard]] std::optional<ForeignCommand> cut_foreign(int& argc, char** argv);

/// Adds gradwire emulate WIRING [options] -- COMMAND..., which runs `foreign` on every host of an
/// emulated wiring.
void add_emulate_command(CLI::App& app, const std::optional<ForeignCommand>& foreign,
                         int& exit_code);

}  // namespace gradwire::commands
