#include <array>

#include "results/report/metrics/topics.h"
#include "results/report/metrics/values.h"

namespace gradwire::report {
namespace {

using record::WiringCost;

template <auto Member>
nlohmann::json counted(const Subject& subject) {
  const auto& wiring = subject.row.wiring;
  return wiring ? nlohmann::json(wiring->cost.*Member) : nlohmann::json();
}

constexpr std::array kWiringMetrics = std::to_array<Metric>({
    {.name = "wiring cost",
     .definition = "What the wiring can do at best, and what it is built of.",
     .kind = Kind::object,
     .nullable = true,
     .json = "/wiring_cost"},
    {.name = "cut by",
     .definition = "The cables that set the cut.",
     .kind = Kind::text,
     .json = "/wiring_cost/cut",
     .value = of_wiring<&WiringCost::cut_name>},
    {.name = "switches",
     .definition = "Switches of the wiring.",
     .kind = Kind::count,
     .json = "/wiring_cost/switches",
     .csv = {"switches"},
     .value = counted<&topologies::Cost::switches>},
    {.name = "switch ports",
     .definition = "Switch ports that hold a cable.",
     .kind = Kind::count,
     .json = "/wiring_cost/switch_ports",
     .csv = {"switch_ports"},
     .value = counted<&topologies::Cost::switch_ports>},
    {.name = "nics",
     .definition = "Host ports that hold a cable.",
     .kind = Kind::count,
     .json = "/wiring_cost/nics",
     .csv = {"nics"},
     .value = counted<&topologies::Cost::nics>},
    {.name = "cables",
     .definition = "Cables of the wiring.",
     .kind = Kind::count,
     .json = "/wiring_cost/cables",
     .csv = {"cables"},
     .value = counted<&topologies::Cost::cables>},
    {.name = "price",
     .definition = "Price of all parts, in the currency of the experiment's prices.",
     .nullable = true,
     .json = "/wiring_cost/price",
     .csv = {"price"},
     .value = of_wiring<&WiringCost::price>},
});

}  // namespace

std::span<const Metric> wiring_metrics() {
  return kWiringMetrics;
}

}  // namespace gradwire::report
