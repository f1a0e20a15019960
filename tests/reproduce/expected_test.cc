#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "reproduce/claim.h"
#include "results/record/flags.h"
#include "tests/reproduce/made_runs.h"

/// What numbers are held against.
namespace gradwire::reproduce {
namespace {

using ::testing::HasSubstr;
using testing::row_of;
using testing::run_of;

Finding judge_number(std::size_t number, const Runs& runs) {
  return judge(claims()[number - 1], runs);
}

/// Rings on one switch that take what they should; the emulated one of four has this flag.
Runs ring_runs(std::string_view flag) {
  Runs runs;
  reproduce::Run scaling = run_of("ring-scaling");
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
}  // namespace gradwire::reproduce
