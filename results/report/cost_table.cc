#include "results/report/cost_table.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"

namespace gradwire::report {
namespace {

constexpr std::string_view kCostDefinitions =
    "#\n"
    "# T_F      S / line rate; gst and cut stand in it\n"
    "# cut      unless switches add, nothing is faster on this wiring, whatever the "
    "algorithm:\n"
    "#          the time that the cables named last need at the payload rate, less what their\n"
    "#          bursts (but in runs before 26 November 2026) and a head start of early ranks save\n"
    "# cut%     100 cut / gst      sw, ports, nics, cables: how many; gst* in milliseconds times "
    "these\n";

constexpr std::array kCostHeadings = std::to_array<text::Heading>({
    {"backing", "", true},
    {"wiring", "", true},
    {"algo", "", true},
    {"N"},
    {"gst", "(T_F)"},
    {"cut", "(T_F)"},
    {"cut%"},
    {"sw"},
    {"ports"},
    {"nics"},
    {"cables"},
    {"gst*sw"},
    {"gst*ports"},
    {"gst*nics"},
    {"gst*cables"},
    {"price"},
    {"gst*price"},
    {"cut by", "", true},
});

std::string times(Seconds gst, double count) {
  return fmt::format("{:.4g}", gst.count() * 1e3 * count);
}

std::vector<std::string> cells(const record::Row& row, BitRate rate) {
  const record::Configuration& c = row.configuration;
  const record::WiringCost& wiring = *row.wiring;
  const topologies::Cost& cost = wiring.cost;
  const Seconds gst(row.gst.median);
  const Seconds t_f = time_to_send(static_cast<double>(c.bytes()), rate);
  return {to_string(c.backing),
          c.wiring,
          c.algorithm,
          fmt::to_string(c.ranks),
          fmt::format("{:.4f}", gst / t_f),
          fmt::format("{:.4f}", wiring.cut / t_f),
          fmt::format("{:.1f}", 100 * (wiring.cut / gst)),
          fmt::to_string(cost.switches),
          fmt::to_string(cost.switch_ports),
          fmt::to_string(cost.nics),
          fmt::to_string(cost.cables),
          times(gst, static_cast<double>(cost.switches)),
          times(gst, static_cast<double>(cost.switch_ports)),
          times(gst, static_cast<double>(cost.nics)),
          times(gst, static_cast<double>(cost.cables)),
          wiring.price ? fmt::format("{:.0f}", *wiring.price) : "-",
          wiring.price ? times(gst, *wiring.price) : "-",
          wiring.cut_name};
}

}  // namespace

std::string format_cost_table(BitRate rate, std::span<const record::Row> rows) {
  std::vector<std::vector<std::string>> lines;
  for (const record::Row& row : rows) {
    if (row.wiring) lines.push_back(cells(row, rate));
  }
  if (lines.empty()) return "";
  return "#\n# Cost: GST times the wiring's parts list; less is better.\n#\n" +
         text::format_columns(kCostHeadings, lines, {.width = 0}) + std::string(kCostDefinitions);
}

}  // namespace gradwire::report
