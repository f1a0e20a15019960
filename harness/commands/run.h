#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds gradwire run FILE, which measures an experiment and prints its table. `exit_code` must
/// outlive the app.
void add_run_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
