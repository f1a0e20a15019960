#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire results list|show|export|predictions|merge|evidence|schema`. Its callbacks set
/// `exit_code`: 2 when something in the folders could not be read.
void add_results_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
