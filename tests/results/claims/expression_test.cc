#include "results/claims/expression.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/results/claims/made_runs.h"

namespace gradwire::claims {
namespace {

using ::testing::HasSubstr;

double number(std::string_view expression) {
  const Scope scope{.variables = {{"N", 9.0},
                                  {"id", std::string("LM-14")},
                                  {"formula", std::string("N + 1")},
                                  {"itself", std::string("1 + itself")},
                                  {"line", Numbers{{"a", 2}, {"b", 3}}}}};
  return evaluate_number(expression, scope);
}

std::string fault_of(std::string_view expression) {
  try {
    (void)number(expression);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(Expression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(number("2 * (N - 1) / N"), 2.0 * 8 / 9);
  EXPECT_EQ(number("2 + 3 * 4 ^ 2 - 1"), 49);
  EXPECT_EQ(number("12 / 3 / 2"), 2);
  EXPECT_EQ(number("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(number("-2 * 1e-3"), -2e-3);
  EXPECT_EQ(number("7-5"), 2);
}

TEST(Expression, ComparesAndJoins) {
  EXPECT_EQ(number("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2 and N == 9"), 1);
  EXPECT_EQ(number("1 < 2 and 2 < 1"), 0);
  EXPECT_EQ(number("2 == 3"), 0);
}

TEST(Expression, KnowsPublishedNumbersFormulasAndQuantities) {
  EXPECT_EQ(number("BML-18 - 9"), 9);
  EXPECT_EQ(number("BML-20a / 2"), 8);
  EXPECT_EQ(number("LM-14[3]"), 3722);
  EXPECT_EQ(number("id[N - 7]"), 1861);
  EXPECT_EQ(number("two_t_f(N)"), 2.0 * 8 / 9);
  EXPECT_EQ(number("line.a + line.b"), 5);
  EXPECT_EQ(number("wiring('bcube({1 + 2},2)').hosts"), 9);
  EXPECT_EQ(number("formula * 2"), 20) << "a text where a number is wanted is an expression";
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_EQ(fault_of("1 + M"), "nothing is called 'M'");
  EXPECT_EQ(fault_of("nothing(1)"), "no formula is called 'nothing'");
  EXPECT_EQ(fault_of("line.c"), "there is no quantity 'c'");
  EXPECT_EQ(fault_of("1 +"), "'' is not understood");
  EXPECT_EQ(fault_of("1 2"), "'2' is not understood");
  EXPECT_EQ(fault_of("(1"), "')' is missing before ''");
  EXPECT_EQ(fault_of("two_t_f('9')"), "two_t_f: an argument is of another kind than the formula's");
  EXPECT_EQ(fault_of("two_t_f(1.5)"), "two_t_f: a whole number is wanted, not 1.5");
  EXPECT_EQ(fault_of("two_t_f()"), "two_t_f: it takes 1 arguments");
  EXPECT_EQ(fault_of("tensor_elements('lenet5', 8)"), "tensor_elements: there is no such item");
  EXPECT_EQ(fault_of("line + 1"), "a number is wanted, not a row or several numbers");
  EXPECT_EQ(fault_of("itself"), "an expression is made of itself");
  EXPECT_EQ(fault_of("line_through('ring')"), "a line goes through the rows of an algorithm");
}

TEST(Expression, TakesQuantitiesOfRows) {
  Runs runs;
  claims::Run run = testing::run_of("x");
  run.rows = {testing::row_of(record::Backing::emulated, "ring", "single-switch(2)", 2, 1.5)};
  runs.add(std::move(run));
  const Rows rows = runs.rows("x", record::Backing::emulated);
  const Scope scope{
      .variables = {{"ring", Wanted{.algorithm = "ring"}}, {"bml", Wanted{.algorithm = "bml"}}},
      .rows = &rows};
  EXPECT_EQ(evaluate_number("ring.t_f * ring.ranks", scope), 3);
  EXPECT_THROW((void)evaluate_number("ring.weight", scope), InputError);
  EXPECT_THROW((void)evaluate_number("bml.gst", scope), NotRun);
  EXPECT_THROW((void)evaluate_number("ring.gst", {.variables = scope.variables}), InputError);
}

TEST(Template, FillsBraces) {
  const Scope scope{.variables = {{"n", 16.0}, {"name", std::string("ring")}}};
  EXPECT_EQ(expand("{name} on single-switch({n}): {n / 3:.2f}, {:.1f}", scope, 0.25),
            "ring on single-switch(16): 5.33, 0.2");
  EXPECT_EQ(expand("{BML-33}; {BML-25}; {BML-25:g}", scope), "18.7-56.4 %; 2 ratio; 2");
  EXPECT_EQ(expand("{wiring('single-switch({n})').hosts}", scope), "16");
  EXPECT_THROW((void)expand("{:.1f}", scope), InputError);
  EXPECT_THROW((void)expand("{n", scope), InputError);
  EXPECT_THROW((void)expand("{n:.1q}", scope), InputError);
}

}  // namespace
}  // namespace gradwire::claims
