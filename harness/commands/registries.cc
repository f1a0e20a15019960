#include "harness/commands/registries.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "collectives/algorithms/all_reduces.h"
#include "collectives/algorithms/groups.h"
#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "schedule/policies.h"
#include "topologies/registry.h"
#include "transport/execution/settings.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/trace.h"

namespace gradwire::commands {
namespace {

using record::Backing;

const std::vector kEverywhere{Backing::emulated, Backing::hosts, Backing::simulated};
/// Backings that send real bytes.
const std::vector kMeasured{Backing::emulated, Backing::hosts};

std::vector<Listed> list_wirings() {
  const std::vector not_emulated{Backing::hosts, Backing::simulated};
  std::vector<Listed> rows;
  for (const topologies::WiringKind& kind : topologies::wiring_kinds()) {
    rows.push_back({.name = form_of(kind),
                    .typed = fmt::format("{}(", kind.name),
                    .options = kind.options,
                    .runs = kind.is_emulated ? kEverywhere : not_emulated,
                    .about = std::string(kind.about),
                    .paper = std::string(kind.paper)});
  }
  return rows;
}

std::vector<Listed> list_algorithms() {
  constexpr std::string_view kOn = "on";
  std::vector<Listed> rows;
  for (const algorithms::AlgorithmKind& kind : algorithms::algorithm_kinds()) {
    rows.push_back({.name = std::string(kind.name),
                    .typed = std::string(kind.name),
                    .facts = {{.heading = kOn, .cell = std::string(kind.wirings)}},
                    .options = kind.options,
                    .runs = kEverywhere,
                    .about = std::string(kind.about),
                    .paper = std::string(kind.paper)});
  }
  for (const algorithms::GroupsKind& kind : algorithms::groups_kinds()) {
    rows.push_back({.name = std::string(kind.form),
                    .typed = fmt::format("{}(", kind.name),
                    .facts = {{.heading = kOn, .cell = std::string(kind.wirings)}},
                    .options = kind.options,
                    .runs = kEverywhere,
                    .about = std::string(kind.about)});
  }
  rows.push_back({.name = "plan(file.json)",
                  .typed = "plan(",
                  .facts = {{.heading = kOn, .cell = "wirings of as many hosts"}},
                  .runs = kEverywhere,
                  .about = "what the file says, which is proven first: a plan file (.json, .yaml), "
                           "or an algorithm of MSCCL (.xml)"});
  for (const algorithms::PeerKind& kind : algorithms::peer_kinds()) {
    rows.push_back({.name = kind.name,
                    .typed = kind.name,
                    .facts = {{.heading = kOn, .cell = "every wiring"}},
                    .runs = kMeasured,
                    .about = kind.about});
  }
  return rows;
}

std::vector<Listed> list_schedules() {
  std::vector<Listed> rows;
  for (const schedule::PolicyKind& kind : schedule::policy_kinds()) {
    rows.push_back({.name = std::string(kind.name),
                    .typed = std::string(kind.name),
                    .options = kind.options,
                    .runs = kEverywhere,
                    .about = std::string(kind.about),
                    .paper = std::string(kind.paper)});
  }
  return rows;
}

std::vector<Listed> list_workloads() {
  std::vector<Listed> rows;
  for (const std::string& name : workloads::model_names()) {
    const workloads::Model model = workloads::load_model(name);
    const auto bytes = static_cast<double>(model.elements() * sizeof(float));
    const double gigamacs = static_cast<double>(model.dense_forward_macs()) / 1e9;
    rows.push_back({.name = name,
                    .typed = name,
                    .facts = {{"tensors", "", fmt::to_string(model.tensors.size())},
                              {"parameters", "", fmt::to_string(model.elements())},
                              {"size", "(MiB)", fmt::format("{:.2f}", bytes / (1 << 20))},
                              {"MACs", "(G)", fmt::format("{:.4f}", gigamacs)}},
                    .runs = kEverywhere,
                    .about = model.source});
  }
  return rows;
}

std::vector<Listed> list_traces() {
  std::vector<Listed> rows;
  for (const std::string& name : workloads::published_trace_names()) {
    const workloads::Profile trace = workloads::published_trace(name);
    const double backward = trace.backward().count() * 1e6;
    rows.push_back({.name = name,
                    .typed = name,
                    .facts = {{"of", "", trace.model},
                              {"layers", "", fmt::to_string(trace.layers.size())},
                              {"backward", "(us)", fmt::format("{:.1f}", backward)}},
                    .runs = kEverywhere,
                    .about = trace.source});
  }
  return rows;
}

std::vector<Listed> list_devices() {
  std::vector<Listed> rows;
  for (const workloads::Device& device : workloads::devices()) {
    rows.push_back({.name = device.name,
                    .typed = device.name,
                    .facts = {{"peak", "(Tflop/s)", fmt::format("{:.2f}", device.flops / 1e12)},
                              {"memory", "(GB/s)", fmt::format("{:.0f}", device.bandwidth / 1e9)}},
                    .runs = kEverywhere,
                    .about = device.description});
  }
  return rows;
}

std::vector<Listed> list_transports() {
  std::vector<Listed> rows;
  for (const execution::NamedTransport& transport : execution::transports()) {
    rows.push_back({.name = std::string(transport.name),
                    .typed = std::string(transport.name),
                    .runs = kMeasured,
                    .about = std::string(transport.about)});
  }
  return rows;
}

constexpr std::array kRegistries{
    Registry{"wirings", "WIRING", "what is cabled to what", list_wirings},
    Registry{"algorithms", "ALGORITHM", "how gradients are synchronized", list_algorithms},
    Registry{"schedules", "SCHEDULE", "which gradients share a synchronization, and when it starts",
             list_schedules},
    Registry{"workloads", "WORKLOAD", "models, whose gradients are synchronized", list_workloads},
    Registry{"traces", "TRACE", "measured times of a model's layers", list_traces},
    Registry{"devices", "DEVICE", "what computes, where times are derived", list_devices},
    Registry{"transports", "TRANSPORT", "what carries the bytes of a measurement", list_transports},
};

}  // namespace

std::span<const Registry> registries() {
  return kRegistries;
}

const Registry* registry_of(std::string_view value) {
  const auto* const found = std::ranges::find(kRegistries, value, &Registry::value);
  return found == kRegistries.end() ? nullptr : found;
}

std::string names_of(std::string_view value) {
  const Registry* const registry = registry_of(value);
  ensure(registry != nullptr, "a registry has the value that help names");
  std::vector<std::string> names;
  for (const Listed& row : registry->rows()) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace gradwire::commands
