#include "results/report/csv.h"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/report/metrics/metrics.h"
#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using ::testing::SizeIs;
using testing::stored_point;
using testing::stored_run;
using testing::times;
using ::testing::UnorderedElementsAreArray;

/// RFC 4180, read back.
std::vector<std::vector<std::string>> parse_csv(const std::string& csv) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
      rows.back().back() += csv[i++];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\r' && i + 1 < csv.size() && csv[i + 1] == '\n') {
      ++i;
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(rows.back(), std::vector<std::string>{""}) << "ends with a line end";
  rows.pop_back();
  return rows;
}

/// The only row of a run with one point, by column.
std::map<std::string, std::string> csv_cells(const record::StoredRun& run) {
  const auto rows = parse_csv(format_csv(std::span(&run, 1)));
  EXPECT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows.at(0).size(), rows.at(1).size());
  std::map<std::string, std::string> found;
  for (std::size_t i = 0; i < rows.at(0).size(); ++i) found[rows[0][i]] = rows.at(1).at(i);
  return found;
}

std::vector<std::string> header() {
  const auto rows = parse_csv(format_csv({}));
  EXPECT_THAT(rows, SizeIs(1));
  return rows.at(0);
}

TEST(Csv, BeginsWithTheMetricsThatNameAColumn) {
  std::vector<std::string> named;
  for (const Metric& metric : metrics()) {
    if (!metric.csv.name.empty()) named.emplace_back(metric.csv.name);
  }
  EXPECT_THAT(header(), UnorderedElementsAreArray(named));
}

// What reads the CSV by position must be told before one of these moves; new columns may come
// between them.
TEST(Csv, KeepsTheOrderOfItsColumns) {
  const auto known = parse_csv(
      "experiment,folder,started,key,backing,wiring,algorithm,workload,batch,schedule,N,k,bytes,"
      "elements,type,dilation,n,gst_p50_us,gst_p95_us,gst_p99_us,gst_mean_us,gst_stdev_us,"
      "cv_percent,gst_ci_low_us,gst_ci_high_us,bound_us,cut_us,t_f_us,algbw_gbs,busbw_gbs,"
      "nicbw_gbs,efficiency,iteration_p50_us,compute_us,exposed_us,exposed_percent,jct_us,"
      "predicted_iteration_us,wrong,flags,switches,switch_ports,nics,cables,price\r\n");
  std::vector<std::string> found = header();
  std::erase_if(found, [&](const std::string& name) {
    return std::ranges::find(known.at(0), name) == known.at(0).end();
  });
  EXPECT_EQ(found, known.at(0));
}

// 4 MB in 1 ms at 8 Gbit/s: T_F 4 ms, algbw 4 GB/s, busbw 16/9 of it, nicbw half of that.
TEST(Csv, FollowsTheDefinitions) {
  record::StoredPoint point = stored_point("bml", std::vector<double>(8, 1.0 / 1024));
  point.row.bound = Seconds(0.5 / 1024);
  auto found = csv_cells(stored_run({point}));
  EXPECT_EQ(found["experiment"], "quickstart");
  EXPECT_EQ(found["folder"], "runs/x");
  EXPECT_EQ(found["wiring"], "bcube(3,2)");
  EXPECT_EQ(found["batch"], "");
  EXPECT_EQ(found["schedule"], "none");
  EXPECT_EQ(found["N"], "9");
  EXPECT_EQ(found["bytes"], "4000000");
  EXPECT_EQ(found["dilation"], "100");
  EXPECT_EQ(found["n"], "8");
  EXPECT_EQ(found["gst_p50_us"], "976.5625");
  EXPECT_EQ(found["gst_ci_low_us"], "976.5625");
  EXPECT_EQ(found["t_f_us"], "4000");
  EXPECT_EQ(found["algbw_gbs"], "4.096");
  EXPECT_NEAR(std::stod(found["busbw_gbs"]), 4.096 * 16 / 9, 1e-12);
  EXPECT_NEAR(std::stod(found["nicbw_gbs"]), 4.096 * 8 / 9, 1e-12);
  EXPECT_EQ(found["efficiency"], "0.5");
  EXPECT_EQ(found["wrong"], "0");
  EXPECT_EQ(found["flags"], "");
}

TEST(Csv, WhatDoesNotExistIsEmpty) {
  record::StoredPoint point = stored_point("bml", {1e-3});
  point.row.bound.reset();
  point.row.wrong.reset();
  record::StoredRun run = stored_run({point});
  run.context = nullptr;
  auto found = csv_cells(run);
  for (const char* column :
       {"gst_ci_low_us", "gst_ci_high_us", "bound_us", "cut_us", "t_f_us", "efficiency",
        "iteration_p50_us", "compute_us", "exposed_us", "exposed_percent", "jct_us",
        "predicted_iteration_us", "wrong", "switches", "switch_ports", "nics", "cables", "price"}) {
    EXPECT_EQ(found[column], "") << column;
  }
  EXPECT_EQ(found["flags"], "few-samples not-verified");
}

TEST(Csv, HasTrainingAndCosts) {
  record::StoredPoint point = stored_point("bml", times(8, 1e-3));
  point.row.configuration.batch = 64;
  point.row.training =
      record::TrainingRow{.compute = Seconds(0.5), .exposed = Seconds(0.25), .jct = Seconds(8)};
  point.row.training->iteration.median = 1;
  point.row.training->plan.predicted.iteration = Seconds(0.5);
  point.row.training->plan.predicted.buckets.emplace_back();
  point.row.wiring = record::WiringCost{.cut = Seconds(0.125), .cost = {.switches = 6, .nics = 18}};
  point.row.wiring->price = 798;
  auto found = csv_cells(stored_run({point}));
  EXPECT_EQ(found["batch"], "64");
  EXPECT_EQ(found["iteration_p50_us"], "1000000");
  EXPECT_EQ(found["compute_us"], "500000");
  EXPECT_EQ(found["exposed_percent"], "25");
  EXPECT_EQ(found["jct_us"], "8000000");
  EXPECT_EQ(found["predicted_iteration_us"], "500000");
  EXPECT_EQ(found["cut_us"], "125000");
  EXPECT_EQ(found["switches"], "6");
  EXPECT_EQ(found["nics"], "18");
  EXPECT_EQ(found["price"], "798");
}

// Independent variables of every point, one line each.
TEST(Csv, HasARowPerPointAndBackingOfEveryRun) {
  const std::vector<record::StoredRun> runs{
      stored_run({stored_point("bml", times(8, 1e-3)),
                  stored_point("bml", {1e-3}, record::Backing::simulated)}),
      stored_run({stored_point("ring", times(8, 1e-3))})};
  const auto rows = parse_csv(format_csv(runs));
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[2][4], "simulated");
  EXPECT_EQ(rows[3][6], "ring");
}

TEST(Csv, NeutralizesFormulasAndQuotes) {
  for (const auto& [name, cell] :
       std::map<std::string, std::string>{{"=1+1", "'=1+1"},
                                          {"+x", "'+x"},
                                          {"-x", "'-x"},
                                          {"@x", "'@x"},
                                          {"\tx", "' x"},
                                          {"\r=x", "' =x"},
                                          {"say \"hi\", twice\r\nnow", "say \"hi\", twice  now"},
                                          {"\x1b[2Jgone", "\uFFFD[2Jgone"},
                                          {"\u009b2Jgone", "\uFFFD2Jgone"},
                                          {"=a,\"b\"", "'=a,\"b\""},
                                          {"", ""},
                                          {"plain", "plain"}}) {
    record::StoredRun run = stored_run({stored_point("bml", {1e-3})});
    run.name = name;
    EXPECT_EQ(csv_cells(run)["experiment"], cell);
  }
}

TEST(Csv, NumbersAreReadBackTheSame) {
  record::StoredPoint point = stored_point("bml", {0.1 / 3});
  auto found = csv_cells(stored_run({point}));
  EXPECT_EQ(std::stod(found["gst_p50_us"]), 0.1 / 3 * 1e6);
}

}  // namespace
}  // namespace gradwire::report
