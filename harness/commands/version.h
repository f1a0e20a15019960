#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// `gradwire version`: prints version_line() and libraries_line() on stdout.
void add_version_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
