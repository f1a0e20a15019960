#include "harness/commands/topo.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/text/output_file.h"
#include "harness/commands/exit_code.h"
#include "harness/commands/names_help.h"
#include "harness/commands/number_options.h"
#include "harness/commands/topo_inventory.h"
#include "topologies/cost.h"
#include "topologies/describe.h"
#include "topologies/export.h"
#include "topologies/registry.h"
#include "topologies/topology.h"

namespace gradwire::commands {
namespace {

using Wirings = std::vector<std::unique_ptr<const topologies::Topology>>;

/// Function that writes a format of `--format`.
using CostFormat = std::string (*)(std::span<const Wirings::value_type>,
                                   const std::optional<topologies::Prices>&);
const std::map<std::string, CostFormat> kCostFormats{{"table", topologies::cost_table},
                                                     {"json", topologies::cost_json},
                                                     {"csv", topologies::cost_csv}};
const std::map<std::string, std::string (*)(const topologies::Topology&)> kExportFormats{
    {"json", topologies::export_json},
    {"dot", topologies::export_dot},
    {"cabling", topologies::export_cabling}};

/// Values of the options. CLI11 writes them to variables that must live as long as its App.
struct Values {
  std::vector<std::string> wirings;
  std::string format;
  std::string output;
  std::optional<topologies::Prices> prices;
};

/// Adds the wirings that a command takes.
CLI::Option* add_wirings(CLI::App& command, Values& values) {
  command.footer(names_footer({"WIRING"}));
  return command.add_option("wiring", values.wirings, "wiring, such as bcube(3,2)")
      ->required()
      ->type_name("WIRING");
}

/// Adds the prices as one option per part; with any of them the prices are known.
void add_price_options(CLI::App& cost, std::optional<topologies::Prices>& prices) {
  const std::vector<std::pair<const char*, double topologies::Prices::*>> parts{
      {"switch", &topologies::Prices::per_switch},
      {"port", &topologies::Prices::per_switch_port},
      {"nic", &topologies::Prices::per_nic},
      {"cable", &topologies::Prices::per_cable}};
  for (const auto& [part, member] : parts) {
    const auto set = [&prices, member = member](double price) {
      if (!prices) prices.emplace();
      (*prices).*member = price;
    };
    cost.add_option_function<double>(fmt::format("--price-{}", part), set,
                                     "Price of one; adds a column price")
        ->transform(real_number(0, 1e12, "0 to 1e12"));
  }
}

void add_topo_show(CLI::App& topo, int& exit_code) {
  CLI::App* const show = topo.add_subcommand("show", "Describe a wiring: hosts, ports, addresses");
  const auto values = std::make_shared<Values>();
  add_wirings(*show, *values)->expected(1);
  show->callback([values, &exit_code] {
    fmt::print("{}", topologies::describe(*topologies::make_topology(values->wirings.front())));
    exit_code = kExitOk;
  });
}

void add_cost(CLI::App& topo, int& exit_code) {
  CLI::App* const cost = topo.add_subcommand(
      "cost", "Count switches, switch ports, NICs and cables; bound the all-reduce");
  const auto values = std::make_shared<Values>();
  values->format = "table";
  add_wirings(*cost, *values);
  cost->add_option("--format", values->format, "How to print it")
      ->check(CLI::IsMember(&kCostFormats))
      ->capture_default_str();
  add_price_options(*cost, values->prices);
  cost->callback([values, &exit_code] {
    Wirings wirings;
    for (const std::string& name : values->wirings) {
      wirings.push_back(topologies::make_topology(name));
    }
    fmt::print("{}", kCostFormats.at(values->format)(wirings, values->prices));
    exit_code = kExitOk;
  });
}

void add_export(CLI::App& topo, int& exit_code) {
  CLI::App* const command = topo.add_subcommand("export", "Write a wiring for other programs");
  const auto values = std::make_shared<Values>();
  add_wirings(*command, *values)->expected(1);
  command
      ->add_option("--format", values->format,
                   "Format of the output; cabling is a CSV list of cables")
      ->required()
      ->check(CLI::IsMember(&kExportFormats));
  command->add_option("-o,--output", values->output, "File to write instead of stdout")
      ->type_name("FILE");
  command->callback([values, &exit_code] {
    const auto wiring = topologies::make_topology(values->wirings.front());
    const std::string text = kExportFormats.at(values->format)(*wiring);
    if (values->output.empty()) {
      fmt::print("{}", text);
    } else {
      text::write_output_file(values->output, text);
    }
    exit_code = kExitOk;
  });
}

}  // namespace

void add_topo_command(CLI::App& app, int& exit_code) {
  CLI::App* const topo = app.add_subcommand("topo", "Show, cost, export and set up wirings");
  topo->require_subcommand(1);
  add_topo_show(*topo, exit_code);
  add_cost(*topo, exit_code);
  add_export(*topo, exit_code);
  add_topo_inventory_command(*topo, exit_code);
}

}  // namespace gradwire::commands
