#include "harness/commands/results_import.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/caretaker.h"
#include "core/error.h"
#include "harness/commands/measure_run.h"
#include "harness/commands/run_checks.h"
#include "harness/experiment/experiment.h"
#include "harness/run/context.h"
#include "harness/run/imported/import_training.h"
#include "harness/run/prepare.h"
#include "results/record/run_folder.h"

namespace gradwire::commands {
namespace {

struct ImportRequest {
  std::string experiment;
  std::vector<std::string> logs;
  std::string out;
};

/// The experiment of the logs, which have its points.
experiment::Experiment experiment_of(const ImportRequest& request,
                                     const std::vector<run::TrainingLog>& logs) {
  experiment::Experiment experiment = experiment::load_experiment(request.experiment);
  if (experiment.dilation != 1) {
    throw InputError(SourcePlace{.file = request.experiment},
                     "give dilation: 1; what computes is not slowed down, nor were links");
  }
  experiment.warmup = 0;
  experiment.iterations = 0;
  for (const run::TrainingLog& log : logs) {
    experiment.iterations = std::max(experiment.iterations, log.iterations.size());
  }
  return experiment;
}

std::vector<std::string> arguments_of(const ImportRequest& request) {
  std::vector<std::string> arguments{"gradwire", "results", "import", request.experiment};
  arguments.insert(arguments.end(), request.logs.begin(), request.logs.end());
  arguments.insert(arguments.end(), {"--out", request.out});
  return arguments;
}

int import(const ImportRequest& request) {
  const Caretaker caretaker;
  std::vector<run::TrainingLog> logs;
  for (const std::string& folder : request.logs) logs.push_back(run::read_training_log(folder));
  const experiment::Experiment experiment = experiment_of(request, logs);
  const std::vector<run::PreparedPoint> points =
      run::points_of_logs(run::prepare(experiment, record::Backing::emulated), logs);
  const run::RunIdentity identity{.planned = points.size(),
                                  .arguments = arguments_of(request),
                                  .started = std::chrono::system_clock::now(),
                                  .experiment = experiment,
                                  .overrides = {}};
  record::RunFolder folder = record::RunFolder::create({.out = request.out,
                                                        .name = experiment.name,
                                                        .started = identity.started,
                                                        .experiment = experiment.text},
                                                       run::run_context(identity));
  for (std::size_t i = 0; i < points.size(); ++i) {
    run::import_training(experiment, points[i], logs[i], folder);
  }
  return print_results(experiment, folder, RunChecks({}));
}

}  // namespace

void add_import_command(CLI::App& results, int& exit_code) {
  CLI::App* command = results.add_subcommand(
      "import", "Makes a run folder of the logs of programs that train on emulated wirings");
  auto request = std::make_shared<ImportRequest>();
  command
      ->add_option(
          "experiment", request->experiment,
          "experiment with the logs' wirings, algorithms and schedules, and compute: {trace: ...}")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("logs", request->logs, "folders with a log of each rank, a folder for each job")
      ->required()
      ->type_name("FOLDER");
  command->add_option("-o,--out", request->out, "the run's folder; must not exist")
      ->required()
      ->type_name("FOLDER");
  command->callback([request, &exit_code] { exit_code = import(*request); });
}

}  // namespace gradwire::commands
