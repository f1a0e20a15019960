#include "harness/commands/command_topo.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/exit_code.h"
#include "harness/file.h"
#include "topologies/describe.h"
#include "topologies/export.h"
#include "topologies/topology.h"

namespace gradwire::harness {
namespace {

using Wirings = std::vector<std::unique_ptr<const topologies::Topology>>;

/// What `--format` names, and the function that writes it.
const std::map<std::string, std::string (*)(std::span<const Wirings::value_type>)> kCostFormats{
    {"table", topologies::cost_table},
    {"json", topologies::cost_json},
    {"csv", topologies::cost_csv}};
const std::map<std::string, std::string (*)(const topologies::Topology&)> kExportFormats{
    {"json", topologies::export_json},
    {"dot", topologies::export_dot},
    {"cabling", topologies::export_cabling}};

/// CLI11 hands values over through variables that must live as long as its App.
struct Values {
  std::vector<std::string> wirings;
  std::string format;
  std::string output;
};

constexpr const char* kWiringHelp = "bcube(n,k), fat-tree(p) or single-switch(n)";

void add_show(CLI::App& topo, int& exit_code) {
  CLI::App* const show = topo.add_subcommand("show", "Describe a wiring: hosts, ports, addresses");
  const auto values = std::make_shared<Values>();
  show->add_option("WIRING", values->wirings, kWiringHelp)->required()->expected(1);
  show->callback([values, &exit_code] {
    fmt::print("{}", topologies::describe(*topologies::make_topology(values->wirings.front())));
    exit_code = kExitOk;
  });
}

void add_cost(CLI::App& topo, int& exit_code) {
  CLI::App* const cost =
      topo.add_subcommand("cost", "Count switches, switch ports, NICs and cables");
  const auto values = std::make_shared<Values>();
  values->format = "table";
  cost->add_option("WIRING", values->wirings, kWiringHelp)->required();
  cost->add_option("--format", values->format, "How to print it")
      ->check(CLI::IsMember(&kCostFormats))
      ->capture_default_str();
  cost->callback([values, &exit_code] {
    Wirings wirings;
    for (const std::string& name : values->wirings) {
      wirings.push_back(topologies::make_topology(name));
    }
    fmt::print("{}", kCostFormats.at(values->format)(wirings));
    exit_code = kExitOk;
  });
}

void add_export(CLI::App& topo, int& exit_code) {
  CLI::App* const command = topo.add_subcommand("export", "Write a wiring for other programs");
  const auto values = std::make_shared<Values>();
  command->add_option("WIRING", values->wirings, kWiringHelp)->required()->expected(1);
  command->add_option("--format", values->format, "What to write: cabling is a CSV list of cables")
      ->required()
      ->check(CLI::IsMember(&kExportFormats));
  command->add_option("-o,--output", values->output, "File to write instead of stdout");
  command->callback([values, &exit_code] {
    const auto wiring = topologies::make_topology(values->wirings.front());
    const std::string text = kExportFormats.at(values->format)(*wiring);
    if (values->output.empty()) {
      fmt::print("{}", text);
    } else {
      write_file_atomically(values->output, text);
    }
    exit_code = kExitOk;
  });
}

}  // namespace

void add_topo_command(CLI::App& app, int& exit_code) {
  CLI::App* const topo = app.add_subcommand("topo", "Show, cost and export wirings");
  topo->require_subcommand(1);
  add_show(*topo, exit_code);
  add_cost(*topo, exit_code);
  add_export(*topo, exit_code);
}

}  // namespace gradwire::harness
