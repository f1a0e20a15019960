#include "results/report/cost_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/run/wiring_costs.h"
#include "results/report/backing_table.h"
#include "topologies/registry.h"

namespace gradwire::report {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

record::Row row(record::Backing backing, std::size_t point, double gst) {
  record::Row row{.configuration = {.point = point,
                                    .backing = backing,
                                    .wiring = "bcube(3,2)",
                                    .algorithm = "bml",
                                    .ranks = 9,
                                    .ports_per_host = 2,
                                    .elements = 1'000'000}};
  row.gst = {.n = 6, .median = gst};
  return row;
}

/// 4 MB at 8 Gbit/s without headers: T_F = 4 ms.
experiment::Experiment experiment() {
  experiment::Experiment experiment;
  experiment.rate = {8e9};
  experiment.headers = false;
  experiment.prices = topologies::Prices{.per_switch = 100, .per_nic = 10, .per_cable = 1};
  return experiment;
}

// BCube(3,2): 6 switches, 18 ports, NICs and cables: 6 x 100 + 18 x 10 + 18 = 798. Bound by the
// hosts' NICs: 2 x 8 / 18 T_F = 3.556 ms.
TEST(CostTable, GivesEveryRowItsWiringsCostAndCut) {
  std::vector<record::Row> rows{row(record::Backing::simulated, 0, 4e-3)};
  const experiment::Experiment links = experiment();
  run::PreparedPoint point{.task = {.wiring = topologies::make_topology("bcube(3,2)")},
                           .configuration = rows.front().configuration};
  const record::WiringCost wiring = run::WiringCosts(links).of(point);
  rows.front().wiring = wiring;
  EXPECT_NEAR(wiring.cut.count(), 16.0 / 18 * 4e-3, 1e-12);
  EXPECT_EQ(wiring.cost.switches, 6u);
  EXPECT_EQ(wiring.cost.switch_ports, 18u);
  EXPECT_DOUBLE_EQ(wiring.price.value(), 798);
  const std::string table = format_cost_table(links.rate, rows);
  EXPECT_THAT(table, HasSubstr("1.0000  0.8889  88.9   6"));  // T_F, cut, cut%, switches
  EXPECT_THAT(table, HasSubstr("3192"));                      // 4 ms x 798
  point.configuration.collective = "all-gather";
  point.goal = all_gather(equal_parts(9, 1'000'000));
  EXPECT_NEAR(run::WiringCosts(links).of(point).cut.count(), 8.0 / 18 * 4e-3, 1e-7);
}

TEST(BackingTable, PutsPointsThatRanOnBothSideBySide) {
  const std::vector<record::Row> rows{row(record::Backing::emulated, 0, 4e-3),
                                      row(record::Backing::emulated, 1, 5e-3),
                                      row(record::Backing::simulated, 0, 3.8e-3)};
  const std::string table = format_backing_table(rows);
  EXPECT_THAT(table, HasSubstr("4000.0     3800.0  -5.0"));
  EXPECT_EQ(table.find("5000.0"), std::string::npos) << "point 1 was not simulated";
  EXPECT_THAT(format_backing_table(std::span(rows).first(2)), IsEmpty());
}

}  // namespace
}  // namespace gradwire::report
