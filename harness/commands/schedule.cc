#include "harness/commands/schedule.h"

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/mtu.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/link_options.h"
#include "harness/commands/names_help.h"
#include "harness/commands/number_options.h"
#include "harness/commands/schedule_text.h"
#include "harness/experiment/experiment.h"
#include "schedule/policies.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::commands {
namespace {

/// Request of the command line about a job that no file describes.
struct ScheduleRequest {
  std::string what;
  std::string trace;
  std::string device;
  std::size_t devices = 1;
  std::uint64_t batch = 32;
  double efficiency = workloads::kDefaultEfficiency;
  std::string algorithm = "ring";
  std::string wiring = "single-switch(8)";
  std::string rate = "10Gbit";
  std::size_t mtu = kDefaultMtu;
  std::string row;
  std::string alpha = fmt::format("{:g}us", experiment::kDefaultAlpha.count() * 1e6);
  std::optional<double> beta;
  double gamma = 0;
  std::vector<std::string> schedules;
  bool buckets = false;
};

bool is_trace_file(const std::string& what) {
  return what.ends_with(".yaml") || what.ends_with(".yml");
}

experiment::AssumedCost cost_of(const ScheduleRequest& request) {
  experiment::AssumedCost cost{
      .row = request.row, .alpha = parse_duration(request.alpha), .gamma = request.gamma * 1e-9};
  if (request.beta) cost.beta = *request.beta * 1e-9;
  return cost;
}

/// The schedules whose name needs no options.
std::vector<std::string> schedules_without_options() {
  std::vector<std::string> names;
  for (const schedule::PolicyKind& kind : schedule::policy_kinds()) {
    if (kind.options.empty()) names.emplace_back(kind.name);
  }
  return names;
}

/// The request as an experiment with a point for every schedule.
experiment::Experiment experiment_of(const ScheduleRequest& request) {
  if (request.what.empty() && request.trace.empty()) {
    throw InputError("give a model, a trace, or an experiment file");
  }
  if (request.device.empty() == request.trace.empty()) {
    throw InputError("give either --device or --trace: computing times come from one of them");
  }
  experiment::Experiment experiment{.name = request.what.empty() ? request.trace : request.what,
                                    .rate = parse_bit_rate(request.rate),
                                    .mtu = request.mtu,
                                    .compute = experiment::Compute{.device = request.device,
                                                                   .devices = request.devices,
                                                                   .efficiency = request.efficiency,
                                                                   .trace = request.trace},
                                    .cost = cost_of(request)};
  const std::shared_ptr<const topologies::Topology> wiring =
      topologies::make_topology(request.wiring);
  const workloads::Workload workload = workloads::parse_workload(request.what);
  algorithms::Algorithm algorithm;
  const std::vector<std::string> formulas = experiment::cost_rows();
  if (std::ranges::find(formulas, request.algorithm) == formulas.end()) {
    algorithm = algorithms::parse_algorithm(text::parse_spec(request.algorithm), *wiring, workload);
  } else if (experiment.cost.row.empty()) {
    experiment.cost.row = request.algorithm;  // which need not be an algorithm's
  }
  for (const std::string& name :
       request.schedules.empty() ? schedules_without_options() : request.schedules) {
    const text::Spec schedule = text::parse_spec(name);
    schedule::check_policy(schedule);
    experiment.points.push_back({.index = experiment.points.size(),
                                 .task = {.wiring = wiring,
                                          .algorithm = algorithm,
                                          .workload = workload,
                                          .batch = request.trace.empty() ? request.batch : 0,
                                          .schedule = schedule}});
  }
  return experiment;
}

int run_schedule(const ScheduleRequest& request) {
  const experiment::Experiment experiment = is_trace_file(request.what)
                                                ? experiment::load_experiment(request.what)
                                                : experiment_of(request);
  const std::vector<run::PointSchedule> points = run::schedule_points(experiment);
  fmt::print("{}", format_planned(experiment, points));
  if (!request.buckets) return kExitOk;
  for (const run::PointSchedule& point : points) fmt::print("{}", format_buckets(point));
  return kExitOk;
}

/// Adds the options that describe a job, which exclude a file.
void add_job_options(CLI::App& command, ScheduleRequest& r) {
  const CLI::Validator count = whole_number(1, 1'000'000);
  const CLI::Validator not_negative = real_number(0, 1e12, "0 to 1e12");
  auto* trace =
      command.add_option("--trace", r.trace, "measured profile: a published trace or a file")
          ->type_name("TRACE|FILE");
  auto* device =
      command.add_option("--device", r.device, "device whose speed gives the computing times")
          ->type_name("DEVICE");
  trace->excludes(device);
  const auto of_device = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help)->capture_default_str()->needs(device);
  };
  of_device("--devices", r.devices, "devices per host")->transform(count);
  of_device("--batch", r.batch, "samples per host")->transform(count);
  of_device("--efficiency", r.efficiency, "share of the device's peak")
      ->transform(real_number(std::numeric_limits<double>::min(), 1, "above 0, at most 1"));
  const auto with_default = [&](const char* name, auto& value, const char* help) {
    return command.add_option(name, value, help)->capture_default_str();
  };
  with_default("--algorithm", r.algorithm, "algorithm that synchronizes")->type_name("ALGORITHM");
  with_default("--wiring", r.wiring, "wiring that it runs on")->type_name("WIRING");
  with_default("--rate", r.rate, "line rate of every link")->check(readable(parse_bit_rate));
  with_default("--mtu", r.mtu, "largest IP packet in bytes")
      ->transform(whole_number(kLeastMtu, kMostMtu));
  command.add_option("--cost", r.row, "cost formula; default: the algorithm's")
      ->type_name(fmt::format("{{{}}}", fmt::join(experiment::cost_rows(), ",")));
  with_default("--alpha", r.alpha, "start-up time of a message")->check(readable(parse_duration));
  command.add_option("--beta", r.beta, "ns per byte on a link; default: its payload rate")
      ->transform(not_negative);
  with_default("--gamma", r.gamma, "ns per byte added")->transform(not_negative);
  command
      .add_option("--schedule", r.schedules, "schedules to plan; default: all that need no options")
      ->type_name("SCHEDULE");
}

void refuse_options_beside_a_file(const CLI::App& command, const ScheduleRequest& request) {
  if (!is_trace_file(request.what)) return;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || option->get_positional() || name == "--buckets") continue;
    throw InputError(fmt::format("{} says it already; leave {} out", request.what, name));
  }
}

}  // namespace

void add_schedule_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "schedule", "Plans a training job's buckets with every policy; sends nothing");
  auto request = std::make_shared<ScheduleRequest>();
  command
      ->add_option("what", request->what,
                   "model, or experiment file (.yaml), which sets everything else")
      ->type_name("WORKLOAD|FILE");
  command->footer(names_footer({"SCHEDULE", "WORKLOAD", "DEVICE", "TRACE", "ALGORITHM", "WIRING"}));
  add_job_options(*command, *request);
  command->add_flag("--buckets", request->buckets,
                    "print every bucket and the time when it is sent");
  command->callback([request, command, &exit_code] {
    refuse_options_beside_a_file(*command, *request);
    exit_code = run_schedule(*request);
  });
}

}  // namespace gradwire::commands
