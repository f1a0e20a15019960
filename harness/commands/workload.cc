#include "harness/commands/workload.h"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/error.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/list_text.h"
#include "harness/commands/names_help.h"
#include "harness/commands/number_options.h"
#include "harness/commands/registries.h"
#include "results/report/profile_drawing.h"
#include "results/report/workload_text.h"
#include "workloads/device.h"
#include "workloads/trace.h"

namespace gradwire::commands {
namespace {

using workloads::Model;
using workloads::Profile;

/// Functions that write the formats of `--format`, by name.
const std::map<std::string, std::string (*)(const Model&, const Profile*)> kFormats{
    {"table", report::workload_table},
    {"json", report::workload_json},
    {"csv", report::workload_csv}};

constexpr std::uint64_t kMostCounted = 1'000'000;

/// Values of the options. CLI11 writes them to variables that must live as long as its App.
struct Request {
  std::string model;
  std::string device;
  std::size_t batch = 32;
  std::size_t devices = 1;
  double efficiency = workloads::kDefaultEfficiency;
  std::string trace;
  std::string format = "table";
};

/// The profile of a device or trace; nothing when neither is asked for.
std::optional<Profile> profile_of(const Model& model, const Request& request) {
  if (!request.trace.empty()) return workloads::open_trace(request.trace, {}, &model);
  if (request.device.empty()) return std::nullopt;
  return workloads::derive(model, {.device = workloads::find_device(request.device),
                                   .devices = request.devices,
                                   .batch = request.batch,
                                   .efficiency = request.efficiency});
}

void add_list(CLI::App& workload, int& exit_code) {
  CLI::App* const list = workload.add_subcommand("list", "List models, traces and devices");
  list->callback([&exit_code] {
    for (const char* const value : {"WORKLOAD", "TRACE", "DEVICE"}) {
      fmt::print("{}\n", list_table(*registry_of(value)));
    }
    exit_code = kExitOk;
  });
}

/// Adds the options for the times of `show`: a device with what else derive() assumes, or a trace.
void add_profile_options(CLI::App& show, Request& request) {
  CLI::Option* const device =
      show.add_option("--device", request.device, "Derive times for this device")
          ->type_name("DEVICE");
  show.add_option("--batch", request.batch, "Samples per host and iteration")
      ->transform(whole_number(1, kMostCounted))
      ->needs(device)
      ->capture_default_str();
  show.add_option("--devices", request.devices, "Devices of one host, which share its batch")
      ->transform(whole_number(1, kMostCounted))
      ->needs(device)
      ->capture_default_str();
  show.add_option("--efficiency", request.efficiency, "Share of the peak that is reached")
      ->transform(real_number(std::numeric_limits<double>::min(), 1, "above 0, at most 1"))
      ->needs(device)
      ->capture_default_str();
  show.add_option("--trace", request.trace,
                  "Measured times: a published trace, or a CSV or JSON file")
      ->excludes(device)
      ->type_name("TRACE|FILE");
}

bool is_file(const std::string& what) {
  return what.ends_with(".csv") || what.ends_with(".json");
}

/// The drawing of a trace in a file. Options that say where times come from are refused, as the
/// trace has them.
std::string drawn(const Request& request) {
  if (!request.device.empty() || !request.trace.empty()) {
    throw InputError(
        fmt::format("{} has times of its own; leave --device and --trace out", request.model));
  }
  if (request.format != "table") {
    throw InputError(
        fmt::format("{} is drawn only: --format {} needs a model", request.model, request.format));
  }
  return report::draw_profile(workloads::load_trace(request.model, nullptr));
}

std::string shown(const Request& request) {
  if (is_file(request.model)) return drawn(request);
  const Model model = workloads::load_model(request.model);
  const std::optional<Profile> profile = profile_of(model, request);
  return kFormats.at(request.format)(model, profile ? &*profile : nullptr);
}

void add_show(CLI::App& workload, int& exit_code) {
  CLI::App* const show =
      workload.add_subcommand("show", "Show a model's tensors, and how long they compute");
  const auto request = std::make_shared<Request>();
  show->add_option("model", request->model,
                   "Whose tensors; or a trace (.csv, .json), whose backward pass is drawn")
      ->required()
      ->type_name("WORKLOAD|FILE");
  show->footer(names_footer({"WORKLOAD", "DEVICE", "TRACE"}));
  add_profile_options(*show, *request);
  show->add_option("--format", request->format, "How to print it: csv is what --trace reads")
      ->check(CLI::IsMember(&kFormats))
      ->capture_default_str();
  show->callback([request, &exit_code] {
    fmt::print("{}", shown(*request));
    exit_code = kExitOk;
  });
}

}  // namespace

void add_workload_command(CLI::App& app, int& exit_code) {
  CLI::App* const workload =
      app.add_subcommand("workload", "List models, and show their tensors and times");
  workload->require_subcommand(1);
  add_list(*workload, exit_code);
  add_show(*workload, exit_code);
}

}  // namespace gradwire::commands
