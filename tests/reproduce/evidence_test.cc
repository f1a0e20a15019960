#include "reproduce/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/reproduce/made_runs.h"

namespace gradwire::reproduce {
namespace {

using ::testing::HasSubstr;
using testing::row_of;
using testing::run_of;

TEST(Evidence, AgreementIsReproduced) {
  Evidence e("2");
  e.theory().number("{:.2f} T_F", 2.0, 2.0);
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::reproduced);
  EXPECT_EQ(finding.published, "2");
  EXPECT_EQ(finding.theory, "2.00 T_F");
  EXPECT_EQ(finding.simulated, "-");
}

TEST(Evidence, WithinItsToleranceIsClose) {
  Evidence e("2");
  e.theory().number("{:.2f}", 2.15, 2.0, 0.1);
  EXPECT_EQ(e.finish().verdict.text, "within 8 %");
}

TEST(Evidence, BeyondItsToleranceContradicts) {
  Evidence e("2");
  e.theory().number("{:.2f} T_F", 2.3, 2.0, 0.1);
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::contradicted);
  EXPECT_EQ(finding.theory, "2.30 T_F (!)");
  EXPECT_THAT(finding.verdict.text, HasSubstr("2.3 where 2 is expected"));
}

// What is known to be different, or left out, does not hide what nobody knew.
TEST(Evidence, AContradictionOutweighsEverything) {
  for (void (Evidence::*excuse)(std::string) :
       {&Evidence::partly, &Evidence::differs, &Evidence::not_here}) {
    Evidence e("2");
    e.theory().holds(false, "it is so");
    (e.*excuse)("known");
    EXPECT_EQ(e.finish().verdict.outcome, Outcome::contradicted);
  }
}

TEST(Evidence, AMissingRunIsNamed) {
  Evidence e("2");
  e.theory().number("{}", 2, 2);
  e.both(Runs(), "quickstart", [](const Rows& rows, Entry) { (void)rows.at({}); });
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::not_run);
  EXPECT_EQ(finding.verdict.text,
            "not run: quickstart (simulated), quickstart (emulated); so far: reproduced");
  EXPECT_EQ(finding.measured, "not run");
}

TEST(Evidence, AMissingRowIsNamed) {
  Runs runs;
  reproduce::Run run = run_of("x");
  run.rows.push_back(row_of(record::Backing::simulated, "ring", "single-switch(2)", 2, 1));
  runs.add(std::move(run));
  Evidence e("2");
  e.simulated(runs, "x",
              [](const Rows& rows, Entry) { (void)rows.at({.algorithm = "bml", .batch = 7}); });
  EXPECT_THAT(e.finish().verdict.text, HasSubstr("x (simulated) has no row bml batch 7"));
}

TEST(Evidence, WrongSumsContradict) {
  Runs runs;
  reproduce::Run run = run_of("x");
  run.rows.push_back(row_of(record::Backing::emulated, "ring", "single-switch(2)", 2, 1));
  run.rows.back().wrong = 3;
  runs.add(std::move(run));
  Evidence e("1");
  e.measured(runs, "x",
             [](const Rows& rows, Entry in) { in.number("{}", rows.at({}).gst_t_f(), 1); });
  EXPECT_EQ(e.finish().verdict.outcome, Outcome::contradicted);
}

TEST(Evidence, FlagsOfMeasuredRowsAreShown) {
  Runs runs;
  reproduce::Run run = run_of("x");
  run.rows.push_back(row_of(record::Backing::emulated, "ring", "single-switch(2)", 2, 1));
  run.rows.back().flags = {"cpu-bound"};
  runs.add(std::move(run));
  Evidence e("1");
  e.measured(runs, "x",
             [](const Rows& rows, Entry in) { in.number("{:.1f}", rows.at({}).gst_t_f(), 1); });
  EXPECT_EQ(e.finish().measured, "1.0 [cpu-bound]");
}

TEST(Evidence, PublishedNumbersAreShownAsPrinted) {
  EXPECT_EQ(printed("BML-33"), "18.7-56.4 %");
  EXPECT_EQ(printed("BML-24"), "2*(N-1)/(k*N) T_F");
  EXPECT_EQ(printed("LM-14"), "0, 930, 1861, 3722 MiB");
  EXPECT_EQ(number_of("LM-14", 3), 3722);
  EXPECT_EQ(count_of("MGT-22a"), 10u);
}

TEST(Runs, RowsAreFoundByWhatIsAskedFor) {
  Runs runs;
  reproduce::Run run = run_of("x");
  run.rows.push_back(row_of(record::Backing::emulated, "ring", "single-switch(2)", 2, 1));
  run.rows.push_back(row_of(record::Backing::simulated, "ring", "single-switch(2)", 2, 2));
  run.rows.push_back(row_of(record::Backing::simulated, "bml", "bcube(3,2)", 9, 3));
  runs.add(std::move(run));
  const Rows rows = runs.rows("x", record::Backing::simulated);
  EXPECT_EQ(rows.at({}).gst_t_f(), 2);
  EXPECT_EQ(rows.at({.wiring = "bcube(3,2)"}).gst_t_f(), 3);
  EXPECT_EQ(rows.used().size(), 2u);
  EXPECT_THROW((void)rows.at({.elements = 5}), NotRun);
  EXPECT_THROW((void)rows.at({}).training(), InternalError);
}

}  // namespace
}  // namespace gradwire::reproduce
