#include "results/claims/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/claims/printed.h"
#include "tests/results/claims/made_runs.h"

namespace gradwire::claims {
namespace {

using ::testing::HasSubstr;
using testing::row_of;
using testing::run_of;

/// One emulated row that took `t_f` T_F, with these flags.
Runs one_row(double t_f, std::vector<std::string> flags = {}) {
  claims::Run run = run_of("x");
  run.rows.push_back(row_of(record::Backing::emulated, "ring", "single-switch(2)", 2, t_f));
  run.rows.back().flags = std::move(flags);
  Runs runs;
  runs.add(std::move(run));
  return runs;
}

/// Holds that row's time against 1.
Finding judge_one_row(const Runs& runs) {
  Evidence e("1");
  e.measured(runs, "x", [](const Rows& rows, Entry in) {
    in.check("number", "a time", rows.at({}).gst_t_f(), paper(1));
  });
  return e.finish();
}

TEST(Evidence, AgreementWithThePaperIsReproducedWithItsDeviation) {
  Evidence e("2");
  e.theory().check("number", "2.00 T_F", 2.002, paper(2.0));
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::reproduced);
  EXPECT_EQ(finding.verdict.text, "reproduced, off by up to 0.1 %");
  EXPECT_EQ(finding.published, "2");
  EXPECT_EQ(finding.theory, "2.00 T_F (+0.1 %)");
  EXPECT_EQ(finding.simulated, "-");
}

TEST(Evidence, WithinItsToleranceIsClose) {
  Evidence e("2");
  e.theory().check("number", "2.15", 2.15, paper(2.0), 0.1);
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::close);
  EXPECT_EQ(finding.verdict.text, "within 7.5 %");
}

TEST(Evidence, BeyondItsToleranceContradicts) {
  Evidence e("2");
  e.theory().check("number", "2.30 T_F", 2.3, paper(2.0), 0.1);
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::contradicted);
  EXPECT_EQ(finding.theory, "2.30 T_F (+15.0 %) (!)");
  EXPECT_THAT(finding.verdict.text, HasSubstr("2.3 where 2 is expected"));
}

// Two numbers of our own that agree say nothing of the paper.
TEST(Evidence, AgreementWithOurselvesIsAPrediction) {
  Evidence e("-");
  e.theory().check("number", "2.00", 2.002, ours(2.0), 0.1);
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::prediction);
  EXPECT_EQ(finding.verdict.text, "prediction: the paper prints no value; ours agree within 0.1 %");
  EXPECT_EQ(finding.theory, "2.00 (+0.1 % from ours)");
}

TEST(Evidence, AnOrderIsReproducedAsStated) {
  Evidence e("one before two");
  e.theory().check("less", "1 < 2", 1, paper(2));
  EXPECT_EQ(e.finish().verdict.text, "reproduced, as stated: no value is printed");
  Evidence other("two before one");
  other.theory().check("less", "2 < 1", 2, paper(1));
  EXPECT_EQ(other.finish().verdict.outcome, Outcome::contradicted);
}

TEST(Evidence, WhatDiffersSaysByHowMuch) {
  Evidence e("2");
  e.theory().check("beside", "3.0", 3, paper(2));
  e.state(Outcome::differs, "known");
  EXPECT_EQ(e.finish().verdict.text, "differs by up to 50.0 %: known");
}

TEST(Evidence, WhatIsSaidToDifferAndDoesNotIsAContradiction) {
  Evidence e("2");
  e.theory().check("beside", "2.0", 2.001, paper(2));
  e.state(Outcome::differs, "known");
  EXPECT_EQ(e.finish().verdict.outcome, Outcome::contradicted);
}

TEST(Evidence, PartlyStillSaysItsDeviation) {
  Evidence e("2");
  e.theory().check("number", "2.1", 2.1, paper(2), 0.1);
  e.fitted("1, how fast it is");
  e.state(Outcome::partly, "the other half is not here");
  EXPECT_EQ(e.finish().verdict.text,
            "partly, off by up to 5.0 %: the other half is not here; free: 1, how fast it is");
}

// What is known to be different, or left out, does not hide what nobody knew.
TEST(Evidence, AContradictionOutweighsEverything) {
  for (const Outcome excuse : {Outcome::partly, Outcome::differs, Outcome::prediction,
                               Outcome::identity, Outcome::input}) {
    Evidence e("2");
    e.theory().check("holds", "it is so", 0, paper(1));
    e.state(excuse, "known");
    EXPECT_EQ(e.finish().verdict.outcome, Outcome::contradicted);
  }
}

TEST(Evidence, AMissingRunIsNamed) {
  Evidence e("2");
  e.theory().check("number", "2", 2, paper(2));
  const auto any = [](const Rows& rows, Entry) { (void)rows.at({}); };
  e.simulated(Runs(), "quickstart", any);
  e.measured(Runs(), "quickstart", any);
  const Finding finding = e.finish();
  EXPECT_EQ(finding.verdict.outcome, Outcome::not_run);
  EXPECT_EQ(finding.verdict.text,
            "not run: quickstart (simulated), quickstart (emulated); so far: reproduced, off by up "
            "to 0.0 %");
  EXPECT_EQ(finding.measured, "not run");
}

TEST(Evidence, AMissingRowIsNamed) {
  Runs runs;
  claims::Run run = run_of("x");
  run.rows.push_back(row_of(record::Backing::simulated, "ring", "single-switch(2)", 2, 1));
  runs.add(std::move(run));
  Evidence e("2");
  e.simulated(runs, "x",
              [](const Rows& rows, Entry) { (void)rows.at({.algorithm = "bml", .batch = 7}); });
  EXPECT_THAT(e.finish().verdict.text, HasSubstr("x (simulated) has no row bml batch 7"));
}

TEST(Evidence, WrongSumsContradict) {
  Runs runs = one_row(1);
  claims::Run run = runs.all().at("x");
  run.rows.back().wrong = 3;
  runs.add(std::move(run));
  EXPECT_EQ(judge_one_row(runs).verdict.outcome, Outcome::contradicted);
}

TEST(Evidence, RowsAndTheirFlagsAreSaid) {
  const Finding finding = judge_one_row(one_row(1, {"burst"}));
  EXPECT_EQ(finding.verdict.outcome, Outcome::reproduced);
  EXPECT_THAT(finding.verdict.text, HasSubstr("; rests on 1 row of x (emulated), flagged burst"));
  ASSERT_EQ(finding.sources.size(), 1u);
  EXPECT_EQ(finding.sources[0].rows.at(0).name,
            "ring on single-switch(2), 1000000000 elements, "
            "emulated");
}

// A row that the machine disturbed neither supports a claim nor contradicts it.
TEST(Evidence, TimesOfSpoiledRowsAreRefused) {
  for (const double t_f : {1.0, 2.0}) {
    const Finding finding = judge_one_row(one_row(t_f, {"cpu-bound"}));
    EXPECT_EQ(finding.verdict.outcome, Outcome::not_run) << t_f;
    EXPECT_THAT(finding.verdict.text,
                HasSubstr("not run on rows whose times can be used; times refused: 1 row of x"));
  }
}

// A busy machine is slow, but it counts well.
TEST(Evidence, CountsOfSpoiledRowsStand) {
  for (const double expected : {2.0, 3.0}) {
    Evidence e("2");
    e.measured(one_row(1, {"cpu-bound"}), "x", [&](const Rows& rows, Entry in) {
      in.check("count", "ranks", static_cast<double>(rows.at({}).row->configuration.ranks),
               paper(expected));
    });
    EXPECT_EQ(e.finish().verdict.outcome,
              expected == 2 ? Outcome::reproduced : Outcome::contradicted);
  }
}

TEST(Evidence, PublishedNumbersAreShownAsPrinted) {
  EXPECT_EQ(printed("BML-33"), "18.7-56.4 %");
  EXPECT_EQ(printed("BML-24"), "2*(N-1)/(k*N) T_F");
  EXPECT_EQ(printed("LM-14"), "0, 930, 1861, 3722 MiB");
  EXPECT_EQ(number_of("LM-14", 3), 3722);
  EXPECT_THROW((void)number_of("LM-14", 4), InputError);
  EXPECT_THROW((void)number_of("BML-24"), InputError);
  EXPECT_THROW((void)number_of("BML-999"), InputError);
}

TEST(Runs, RowsAreFoundByWhatIsAskedFor) {
  Runs runs;
  claims::Run run = run_of("x");
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
}  // namespace gradwire::claims
