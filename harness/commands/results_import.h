#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire results import` to `gradwire results`, which makes a run folder of the logs of a
/// training program. Its callback sets `exit_code`.
void add_import_command(CLI::App& results, int& exit_code);

}  // namespace gradwire::commands
