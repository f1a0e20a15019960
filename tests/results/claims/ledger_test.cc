#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "results/claims/claim.h"
#include "tests/results/claims/made_runs.h"

/// What a ledger says, and where it is wrong: for people who change claims.yaml.
namespace gradwire::claims {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLedger =
    "values: {alpha: 2 * 3}\n"
    "lists: {pairs: [{n: 1, twice: 2}, {n: 2, twice: 4}]}\n"
    "checks: {double: [{agrees: double, value: 2 * n, paper: twice}]}\n"
    "claims:\n"
    "  - claim: 7\n"
    "    paper: BML\n"
    "    where: section 1\n"
    "    what: it doubles\n"
    "    published: twice\n";

Finding judge_text(const std::string& evidence, const Runs& runs = {}) {
  return judge(parse_claims(kLedger + evidence, "my.yaml").front(), runs);
}

std::string fault_in_ledger(const std::string& evidence) {
  Runs runs;
  claims::Run run = testing::run_of("x");
  run.rows = {testing::row_of(record::Backing::emulated, "ring", "single-switch(2)", 2, 1.5)};
  runs.add(std::move(run));
  try {
    (void)judge_text(evidence, runs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Ledger, ChecksEveryEntryOfAListByWhatStandsUnderAName) {
  const Finding finding = judge_text("    evidence: [{theory: [{for: pairs, use: double}]}]\n");
  ASSERT_EQ(finding.checks.size(), 2u);
  EXPECT_EQ(finding.checks[1].value, 4);
  EXPECT_EQ(finding.checks[1].expected.value, 4);
  EXPECT_TRUE(finding.checks[1].expected.is_published);
  EXPECT_EQ(finding.verdict.outcome, Outcome::reproduced);
}

TEST(Ledger, LoopsOverValuesAndLeavesOutWhatDoesNotHold) {
  const Finding finding = judge_text(
      "    evidence:\n"
      "      - theory:\n"
      "          - {for: {n: [1, 2], m: 1 .. n + 1}, if: n < m, say: '{n}{m} {alpha}'}\n"
      "          - {for: {n: 1 .. 3}, list: 'n{n}'}\n");
  EXPECT_EQ(finding.theory, "12 6; 23 6; n1, n2, n3");
}

TEST(Ledger, StatesWhatItSaysOfItself) {
  const Finding finding = judge_text(
      "    fitted: ['1, a share']\n"
      "    evidence: [{theory: [{number: '{:.1f}', value: 2.1, paper: 2, within: 0.1}]}]\n"
      "    outcome: partly\n"
      "    note: half of {alpha}\n");
  EXPECT_EQ(finding.verdict.text, "partly, off by up to 5.0 %: half of 6; free: 1, a share");
}

TEST(Ledger, SaysWhereItIsWrong) {
  const auto theory = [](const std::string& item) {
    return fault_in_ledger("    evidence: [{theory: [" + item + "]}]\n");
  };
  EXPECT_EQ(theory("{numbr: a, value: 1, paper: 1}"),
            "my.yaml:10:27: unknown key 'numbr' (did you mean 'number'?)");
  EXPECT_EQ(theory("{number: a, value: 1 + m, paper: 1}"), "my.yaml:10:45: nothing is called 'm'");
  EXPECT_EQ(theory("{number: a, value: 1}"), "my.yaml:10:26: 'paper' or 'ours' is missing");
  EXPECT_EQ(theory("{number: a, paper: 1}"), "my.yaml:10:26: 'value' is missing");
  EXPECT_EQ(theory("{for: trios, say: a}"), "my.yaml:10:32: nothing is called 'trios'");
  EXPECT_EQ(theory("{use: triple}"), "my.yaml:10:32: nothing is called 'triple'");
  EXPECT_EQ(theory("{say: 'a {b}'}"), "my.yaml:10:32: nothing is called 'b'");
  EXPECT_EQ(theory("{iterations: {}, say: a}"), "my.yaml:10:39: there are no rows in theory");
  EXPECT_EQ(
      theory("{number: a, value: plan_t_f('ring', 'torus(3)'), paper: 1}").find("my.yaml:10:"), 0u)
      << "an error of a formula has the place of its call";
}

TEST(Ledger, SaysWhatIsWrongOutsideOfTheory) {
  EXPECT_EQ(fault_in_ledger("    evidence: [{say: a}]\n"),
            "my.yaml:10:22: this stands in no column");
  EXPECT_EQ(fault_in_ledger("    evidence: [{measured: x, rows: {a: {wirng: b}}}]\n"),
            "my.yaml:10:41: unknown key 'wirng' (did you mean 'wiring'?)");
  EXPECT_EQ(fault_in_ledger("    outcome: maybe\n    note: a\n"),
            "my.yaml:10:14: no outcome is called 'maybe'");
  EXPECT_EQ(fault_in_ledger("    outcome: partly\n"), "my.yaml:5:5: 'note' is missing");
  EXPECT_EQ(fault_in_ledger("    outcom: partly\n"),
            "my.yaml:10:5: unknown key 'outcom' (did you mean 'outcome'?)");
}

TEST(Ledger, NamesARowThatIsNotThere) {
  const Finding finding = judge_text(
      "    evidence: [{measured: y, rows: {a: {}}, number: a, value: a.gst, paper: 1}]\n");
  EXPECT_EQ(finding.verdict.outcome, Outcome::not_run);
  EXPECT_THAT(finding.missing, ::testing::ElementsAre("y (emulated)"));
  EXPECT_THAT(finding.checks, IsEmpty());
}

}  // namespace
}  // namespace gradwire::claims
