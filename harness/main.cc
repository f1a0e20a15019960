#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include "core/error.h"
#include "core/refused_thread.h"
#include "core/signals.h"
#include "core/standard_streams.h"
#include "core/text/table.h"
#include "harness/commands/compare.h"
#include "harness/commands/completion.h"
#include "harness/commands/doctor.h"
#include "harness/commands/emulate.h"
#include "harness/commands/enter_host.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/job.h"
#include "harness/commands/jobs.h"
#include "harness/commands/list.h"
#include "harness/commands/man.h"
#include "harness/commands/place.h"
#include "harness/commands/plan.h"
#include "harness/commands/report.h"
#include "harness/commands/results.h"
#include "harness/commands/run.h"
#include "harness/commands/schedule.h"
#include "harness/commands/topo.h"
#include "harness/commands/usage.h"
#include "harness/commands/utf8_arguments.h"
#include "harness/commands/version.h"
#include "harness/commands/worker.h"
#include "harness/commands/workload.h"
#include "results/record/build_info.h"

namespace gradwire::harness {
namespace {

/// Help whose lines fit a terminal.
class HelpFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option(const CLI::Option* option, bool positional) const override {
    const auto names = text::wrap(make_option_name(option, positional) + make_option_opts(option),
                                  text::kTerminalWidth - 4);
    std::ostringstream text;
    CLI::detail::format_help(text, fmt::format("{}", fmt::join(names, "\n    ")),
                             fitted(option->get_description()), get_column_width());
    return text.str();
  }
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream text;
    CLI::detail::format_help(text, command->get_display_name(true),
                             fitted(command->get_description()), get_column_width());
    return text.str();
  }

 private:
  [[nodiscard]] std::string fitted(const std::string& description) const {
    const std::size_t width = text::kTerminalWidth - get_column_width();
    return fmt::format("{}", fmt::join(text::wrap(description, width), "\n"));
  }
};

/// Says it if anybody listens. It is no error of its own if nobody does.
void report(const std::string& message) {
  std::fputs(fmt::format("gradwire: error: {}\n", message).c_str(), stderr);
}

/// Help and --version are "errors" to CLI11 that succeed; everything else is wrong usage.
int finish_parsing(const CLI::App& app, const std::vector<std::string>& words,
                   const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  const commands::Misuse misuse = commands::misuse_of(app, words, error.what());
  report(misuse.message);
  std::fputs(fmt::format("Try '{} --help'.\n", misuse.command).c_str(), stderr);
  return commands::kExitUsage;
}

/// Exit status when the reader of the output has gone, as `head` does once it has its lines: that of
/// a program which the pipe ends. Nothing is said then.
constexpr int kNobodyReads = commands::kSignalled + SIGPIPE;

int run(int argc, char** argv) {
  const std::optional<commands::ForeignCommand> foreign = commands::cut_foreign(argc, argv);
  commands::require_utf8({argv, static_cast<std::size_t>(argc)});
  CLI::App app("Gradwire compares gradient synchronization algorithms over network wirings.",
               "gradwire");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_version_flag("--version", record::version_line());
  app.require_subcommand(1);
  int exit_code = commands::kExitOk;
  commands::add_run_command(app, exit_code);
  commands::add_emulate_command(app, foreign, exit_code);
  commands::add_compare_command(app, exit_code);
  commands::add_list_command(app, exit_code);
  commands::add_plan_command(app, exit_code);
  commands::add_job_command(app, exit_code);
  commands::add_jobs_command(app, exit_code);
  commands::add_place_command(app, exit_code);
  commands::add_schedule_command(app, exit_code);
  commands::add_topo_command(app, exit_code);
  commands::add_workload_command(app, exit_code);
  commands::add_report_command(app, exit_code);
  commands::add_results_command(app, exit_code);
  commands::add_doctor_command(app, exit_code);
  commands::add_completion_command(app, exit_code);
  commands::add_version_command(app, exit_code);
  commands::add_worker_command(app, exit_code);
  commands::add_enter_host_command(app);
  commands::add_man_command(app, exit_code);
  const std::vector<std::string> words = commands::words_of(argc, argv);
  try {
    app.parse(std::vector(words.rbegin(), words.rend()));  // CLI11 takes them from the end
  } catch (const CLI::ParseError& error) {
    exit_code = finish_parsing(app, words, error);
  }
  // Results that did not reach their reader are no success.
  if (std::fflush(stdout) != 0 && exit_code == commands::kExitOk) {
    if (errno == EPIPE) return kNobodyReads;
    throw SystemError("write to stdout", errno);
  }
  return exit_code;
}

// UCX, where it is linked, takes SIGHUP when it is loaded, to have itself debugged: a program whose
// terminal is gone would go on. So SIGHUP waits from before libraries are initialized until UCX has
// given it back.

void hold_hangups() {
  sigset_t hangup;
  ::sigemptyset(&hangup);
  ::sigaddset(&hangup, SIGHUP);
  ::sigprocmask(SIG_BLOCK, &hangup, nullptr);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const kBeforeLibraries)() = hold_hangups;

void give_hangups_back() {
  const auto give_back =
      reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "ucs_debug_disable_signals"));
  if (give_back != nullptr) give_back();
}

/// Whether printing failed because the reader has gone.
bool nobody_reads(const std::exception& error) {
  const auto* const refused = dynamic_cast<const std::system_error*>(&error);
  return refused != nullptr && refused->code() == std::errc::broken_pipe;
}

/// Logs go to stderr, so that stdout has only results.
void prepare_process() {
  open_standard_streams();
  give_hangups_back();
  set_signals();
  spdlog::set_default_logger(spdlog::stderr_color_mt("gradwire"));
  spdlog::set_pattern("gradwire: %^%l%$: %v");
}

}  // namespace
}  // namespace gradwire::harness

int main(int argc, char** argv) {
  namespace harness = gradwire::harness;
  try {
    harness::prepare_process();
    return harness::run(argc, argv);
  } catch (const std::bad_alloc&) {
    harness::report("out of memory");
    return gradwire::commands::kExitRunFailed;
  } catch (const std::exception& error) {
    if (harness::nobody_reads(error)) return harness::kNobodyReads;
    const auto refused = gradwire::refused_thread(error);
    harness::report(refused ? refused->what() : error.what());
    return gradwire::commands::exit_code_of(std::current_exception());
  }
}
