#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire version`, which prints version_line() and libraries_line() on stdout.
void add_version_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
