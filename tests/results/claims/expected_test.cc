#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/claims/claim.h"
#include "results/claims/read_runs.h"
#include "results/record/flags.h"
#include "tests/results/claims/made_runs.h"

/// What numbers are held against: published is what a paper prints, and counted is what was counted.
namespace gradwire::claims {
namespace {

using ::testing::HasSubstr;
using testing::judge_number;
using testing::row_of;
using testing::run_of;

/// Times on the line 1 ms + 1 ns an element, of a parameter server and a ring of eight.
claims::Run line_run(const std::string& experiment, record::Backing backing) {
  claims::Run run = run_of(experiment);
  for (const char* algorithm : {"ps", "ring"}) {
    for (const std::uint64_t elements : {1'000'000, 2'000'000, 4'000'000}) {
      const double time = 1e-3 + 1e-9 * static_cast<double>(elements);
      run.rows.push_back(row_of(backing, algorithm, "single-switch(8)", 8, time));
      run.rows.back().configuration.elements = elements;
    }
  }
  return run;
}

// A line through times of our own is no number of the paper, and 2 alpha are 2 alpha.
TEST(Expected, TimesOnALineOfTheirOwnReproduceNothing) {
  Runs runs;
  runs.add(line_run("all-reduce-sizes", record::Backing::simulated));
  runs.add(line_run("all-reduce-lines", record::Backing::emulated));
  const Finding finding = judge_number(30, runs);
  EXPECT_EQ(finding.verdict.outcome, Outcome::prediction);
  for (const Check& check : finding.checks) EXPECT_FALSE(check.expected.is_published) << check.name;
}

/// The published runs, times of all rows so many times as long.
Runs stretched(const Runs& runs, double factor) {
  Runs all;
  for (const auto& [name, stored] : runs.all()) {
    claims::Run run = stored;
    for (record::Row& row : run.rows) {
      row.gst.median *= factor;
      if (row.training) row.training->iteration.median *= factor;
    }
    all.add(std::move(run));
  }
  return all;
}

/// Claim 19's N/(1+r) is printed, and its r is what each run has: an identity, and said to be one.
constexpr std::size_t kFormulaOfMeasuredTimes = 19;

TEST(Expected, WhatIsPrintedDoesNotHangOnWhatRan) {
  const Runs runs = read_runs(GRADWIRE_ROOT "/results/published").runs;
  const Runs slower = stretched(runs, 1.01);
  for (const Claim& claim : claims()) {
    if (claim.number == kFormulaOfMeasuredTimes) continue;
    const Finding right = judge(claim, runs), other = judge(claim, slower);
    ASSERT_EQ(right.checks.size(), other.checks.size()) << claim.number;
    for (std::size_t i = 0; i < right.checks.size(); ++i) {
      const Check& check = right.checks[i];
      if (check.relation == Relation::less || !check.expected.is_published) continue;
      EXPECT_EQ(check.expected.value, other.checks[i].expected.value)
          << "claim " << claim.number << ": " << check.name;
    }
  }
}

/// Runs for claim 45: a reduction takes five times as long as an all-gather.
Runs late_multiply_runs() {
  Runs runs;
  claims::Run run = run_of("late-multiply-measured-10gbe");
  for (const record::Backing backing : {record::Backing::simulated, record::Backing::emulated}) {
    for (const std::size_t ranks : {2u, 4u}) {
      const std::string wiring = "single-switch(" + std::to_string(ranks) + ")";
      run.rows.push_back(row_of(backing, "ps(servers=1)", wiring, ranks, 5));
      run.rows.back().dense = record::DenseRow{.products = Seconds(1)};
      run.rows.push_back(row_of(backing, "all-gather(ring)", wiring, ranks, 1));
      run.rows.back().dense = record::DenseRow{.products = Seconds(static_cast<double>(ranks))};
    }
  }
  runs.add(std::move(run));
  return runs;
}

// What this project computes by itself is its own: the gain of an all-gather, a gradient of six
// samples, the best of all schedules.
TEST(Expected, WhatIsComputedHereIsOurs) {
  const std::map<std::size_t, std::string> computed{
      {45, "times less time"}, {51, "sum with decay"}, {28, "O(L^2)"}};
  for (const auto& [number, name] : computed) {
    std::size_t found = 0;
    for (const Check& check : judge_number(number, late_multiply_runs()).checks) {
      if (check.name.find(name) == std::string::npos) continue;
      ++found;
      EXPECT_FALSE(check.expected.is_published) << check.name;
    }
    EXPECT_GT(found, 0u) << name;
  }
}

/// Rings on one switch that take what they should; the emulated one of four has this flag.
Runs ring_runs(std::string_view flag) {
  Runs runs;
  claims::Run scaling = run_of("ring-scaling");
  for (const record::Backing backing : {record::Backing::simulated, record::Backing::emulated}) {
    for (const std::size_t n : {2u, 4u, 5u, 8u, 16u}) {
      const double t_f = 2.0 * static_cast<double>(n - 1) / static_cast<double>(n);
      scaling.rows.push_back(
          row_of(backing, "ring", "single-switch(" + std::to_string(n) + ")", n, t_f));
      const bool is_flagged = backing == record::Backing::emulated && n == 4 && !flag.empty();
      if (is_flagged) scaling.rows.back().flags.emplace_back(flag);
    }
  }
  runs.add(std::move(scaling));
  return runs;
}

// A simulation sends no bytes that somebody could count, and whether some are off the Plan is not
// known of a run that ended before.
TEST(Expected, BytesOffThePlanAreCountedWhereSomebodyLooked) {
  const Finding right = judge_number(55, ring_runs(""));
  EXPECT_EQ(right.verdict.outcome, Outcome::reproduced);
  EXPECT_THAT(right.measured, HasSubstr("0 rows with bytes off the Plan"));
  for (const Check& check : right.checks) {
    EXPECT_FALSE(check.column == Column::simulated && check.relation == Relation::count);
  }
  const Finding not_counted = judge_number(55, ring_runs(record::kFlagNotCounted));
  EXPECT_EQ(not_counted.verdict.outcome, Outcome::not_run);
  EXPECT_THAT(not_counted.verdict.text, HasSubstr("bytes counted of ring on single-switch(4)"));
  EXPECT_EQ(judge_number(55, ring_runs(record::kFlagBytesOffPlan)).verdict.outcome,
            Outcome::contradicted);
}

TEST(Expected, NobodyCanCountTheBytesOfASimulation) {
  const record::Row row = row_of(record::Backing::simulated, "ring", "single-switch(2)", 2, 1);
  const Result result{.row = &row, .payload = {32e9}};
  EXPECT_THROW((void)result.is_off_plan(), InternalError);
}

}  // namespace
}  // namespace gradwire::claims
