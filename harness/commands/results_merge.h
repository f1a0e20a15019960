#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire results merge` to `gradwire results`. Its callback sets `exit_code`: 3 when a sum
/// of the merged run was wrong.
void add_merge_command(CLI::App& results, int& exit_code);

}  // namespace gradwire::commands
