#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/claims/read_runs.h"
#include "results/claims/table.h"
#include "results/record/flags.h"
#include "tests/results/claims/mutations.h"
#include "tests/results/claims/right_runs.h"

/// Every claim on runs that are right, on the published ones, and on runs of which one row is off.
namespace gradwire::claims {
namespace {

using testing::checks_that_do_not_flip;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::right_runs;
using testing::theory_checks_without_weight;

const Runs& published_runs() {
  static const FoundRuns found = read_runs(GRADWIRE_ROOT "/results/published");
  EXPECT_THAT(found.problems, IsEmpty());
  return found.runs;
}

std::vector<std::string> all_that_do_not_flip(const Runs& runs) {
  std::vector<std::string> silent;
  for (const Claim& claim : claims()) {
    for (const std::string& check : checks_that_do_not_flip(claim, runs)) silent.push_back(check);
  }
  return silent;
}

TEST(Whole, RightRunsContradictNothingAndLeaveNothingOut) {
  for (const Judged& judged : judge_all(right_runs())) {
    const Verdict& verdict = judged.finding.verdict;
    EXPECT_NE(verdict.outcome, Outcome::contradicted) << judged.claim->number << verdict.text;
    EXPECT_NE(verdict.outcome, Outcome::not_run) << judged.claim->number << verdict.text;
  }
}

// A row off by 1.5 times what a check of runs allows, with sums left right, is a contradiction.
TEST(Whole, EveryCheckOfRightRunsFlipsItsClaim) {
  EXPECT_THAT(all_that_do_not_flip(right_runs()), IsEmpty());
}

TEST(Whole, EveryCheckOfThePublishedRunsFlipsItsClaim) {
  EXPECT_THAT(all_that_do_not_flip(published_runs()), IsEmpty());
}

TEST(Whole, NoStatementHidesAFailingCheckOfTheory) {
  for (const Claim& claim : claims()) {
    EXPECT_THAT(theory_checks_without_weight(claim, right_runs()), IsEmpty());
  }
}

// A claim that looks at runs has something to be flipped in every column that has numbers.
TEST(Whole, EveryColumnThatRestsOnRunsIsJudged) {
  for (const Judged& judged : judge_all(right_runs())) {
    for (const Source& source : judged.finding.sources) {
      const Column column =
          source.backing == record::Backing::simulated ? Column::simulated : Column::measured;
      EXPECT_TRUE(std::ranges::any_of(judged.finding.checks, [&](const Check& check) {
        return check.column == column && check.is_judged;
      })) << judged.claim->number;
    }
  }
}

TEST(Whole, WhatIsReproducedEvenPartlyWasHeldAgainstThePaper) {
  for (const Judged& judged : judge_all(right_runs())) {
    const Finding& finding = judged.finding;
    const Outcome outcome = finding.verdict.outcome;
    if (outcome != Outcome::reproduced && outcome != Outcome::close && outcome != Outcome::partly) {
      continue;
    }
    EXPECT_TRUE(std::ranges::any_of(finding.checks, [](const Check& check) {
      return check.is_judged && check.expected.is_published;
    })) << judged.claim->number;
  }
}

TEST(Published, NothingIsContradicted) {
  for (const Judged& judged : judge_all(published_runs())) {
    EXPECT_NE(judged.finding.verdict.outcome, Outcome::contradicted)
        << judged.claim->number << judged.finding.verdict.text;
  }
}

// No claim rests on a flagged row unsaid, and none on times that a flag spoils.
TEST(Published, FlagsOfRowsAreSaid) {
  for (const Judged& judged : judge_all(published_runs())) {
    const Finding& finding = judged.finding;
    for (const Source& source : finding.sources) {
      for (const UsedRow& row : source.rows) {
        for (const std::string& flag : row.flags) {
          EXPECT_THAT(finding.verdict.text, HasSubstr(flag)) << judged.claim->number << row.name;
          if (record::spoils(flag)) {
            EXPECT_TRUE(source.is_refused) << judged.claim->number << row.name;
          }
        }
      }
    }
  }
}

TEST(Published, EveryClaimHasItsRuns) {
  for (const Judged& judged : judge_all(published_runs())) {
    EXPECT_THAT(judged.finding.missing, IsEmpty()) << judged.claim->number;
  }
}

}  // namespace
}  // namespace gradwire::claims
