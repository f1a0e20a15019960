#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire completion SHELL`, which prints a script that completes `app`'s commands, options
/// and values. May be added in any order: `app` is read when the command runs. `exit_code` must
/// outlive the app.
void add_completion_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
