#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds gradwire schedule, which prints what every policy makes of a training job, without sending
/// anything.
void add_schedule_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
