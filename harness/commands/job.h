#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire job`, which reads a job file, checks it, runs it on a wiring in virtual time, and
/// prints what took how long. Results go to stdout. Sets `exit_code`, which must outlive `app`'s
/// parsing. Parsing throws InputError for a file that is no job, and for a wiring or algorithms
/// that it does not fit.
void add_job_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
