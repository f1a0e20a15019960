#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// gradwire plan: prints one rank's lanes and steps, and what its ports carry. `exit_code` must
/// outlive the app.
void add_plan_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
