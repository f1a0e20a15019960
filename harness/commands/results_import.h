#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire results import` to `gradwire results`: what a program that trains has logged becomes
/// a run folder. Its callback sets `exit_code`.
void add_import_command(CLI::App& results, int& exit_code);

}  // namespace gradwire::commands
