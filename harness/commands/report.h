#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire report DIR... -o report.html`, and `--paper DIR`. Its callback sets `exit_code`:
/// 2 when something in the folders could not be read.
void add_report_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
