#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire jobs`, which runs the jobs of a list on one wiring in virtual time, and prints
/// how they affect each other. Results go to stdout. Sets `exit_code`, which must outlive `app`'s
/// parsing. Parsing throws InputError for a list or a job file that is none, and for jobs that do
/// not fit the wiring.
void add_jobs_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
