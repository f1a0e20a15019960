#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire place`, which finds the best and the worst hosts for the jobs of a list. Results
/// go to stdout. Sets `exit_code`, which must outlive `app`'s parsing. Parsing throws InputError as
/// add_jobs_command.
void add_place_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
