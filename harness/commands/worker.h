#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds gradwire worker, which is one rank, started by the harness with a control connection at
/// descriptor 3; not shown in help. `exit_code` must outlive the app.
void add_worker_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
