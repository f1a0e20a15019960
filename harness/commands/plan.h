#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds gradwire plan, which prints one rank's lanes and steps, and the traffic of its ports.
/// `exit_code` must outlive the app.
void add_plan_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
