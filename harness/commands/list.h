#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire list [WHAT]`, which prints the names of a registry, or of all
/// (harness/commands/registries.h), as tables in text or Markdown, as JSON, or as words. `exit_code`
/// must outlive the app.
void add_list_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
