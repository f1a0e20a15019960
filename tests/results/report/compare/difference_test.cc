#include "results/report/compare/difference.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/results/report/compare/stored_runs.h"

namespace gradwire::report {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using testing::stored_context;

std::vector<std::string> messages_of(const std::vector<Difference>& differences,
                                     Severity severity) {
  std::vector<std::string> found;
  for (const Difference& difference : differences) {
    if (difference.severity == severity) found.push_back(difference.message());
  }
  return found;
}

TEST(ContextDifferences, EqualContextsHaveNone) {
  EXPECT_THAT(context_differences(stored_context(), stored_context(), true), IsEmpty());
}

TEST(ContextDifferences, LinksAreRefusedAndNamed) {
  auto other = stored_context();
  other["experiment"]["link"]["mtu"] = 1500;
  other["experiment"]["link"]["delay_us"] = 2;
  EXPECT_THAT(messages_of(context_differences(stored_context(), other, true), Severity::refuse),
              ElementsAre("experiment.link.delay_us: nothing in A, 2 in B",
                          "experiment.link.mtu: 9000 in A, 1500 in B"));
}

// 1e9 and 1000000000 are the same rate.
TEST(ContextDifferences, NumbersAreComparedByValue) {
  auto other = stored_context();
  other["experiment"]["link"]["rate_bits_per_s"] = 8'000'000'000;
  EXPECT_THAT(context_differences(stored_context(), other, true), IsEmpty());
}

TEST(ContextDifferences, BuildAndMachineAreWarnedOfLoadIsNot) {
  auto other = stored_context();
  other["build"]["commit"] = "4567";
  other["machine"]["cores"] = 64;
  other["machine"]["load"] = "17";
  other["machine"]["anything_new"] = {{"deep", true}};
  other["experiment"]["name"] = "another";
  other["experiment"]["iterations"] = 20;
  other["experiment"]["transport"] = "ucx";
  other["resumed"] = {{{"commit", "89ab"}}};
  const auto found = context_differences(stored_context(), other, true);
  EXPECT_THAT(messages_of(found, Severity::refuse), IsEmpty());
  EXPECT_THAT(messages_of(found, Severity::warn),
              ElementsAre("experiment.transport: nothing in A, ucx in B",
                          "build.commit: 0123 in A, 4567 in B",
                          "machine.anything_new.deep: nothing in A, true in B",
                          "machine.cores: 2 in A, 64 in B", "resumed: 0 times in A, 1 times in B"));
}

// Virtual time is the same on every machine.
TEST(ContextDifferences, MachinesDoNotMatterToSimulations) {
  auto other = stored_context();
  other["machine"]["cores"] = 64;
  EXPECT_THAT(context_differences(stored_context(), other, false), IsEmpty());
}

TEST(ContextDifferences, UnknownLinksAreRefused) {
  EXPECT_THAT(messages_of(context_differences(nullptr, nullptr, true), Severity::refuse),
              ElementsAre("experiment.link: unknown in A, unknown in B"));
  EXPECT_THAT(messages_of(context_differences(stored_context(), nullptr, false), Severity::refuse),
              ::testing::SizeIs(3));
}

TEST(PointDifferences, ThatAgreeBecomeOne) {
  std::vector<Difference> differences;
  const Difference dilation{.severity = Severity::refuse, .what = "dilation", .a = "4", .b = "2"};
  add_point_difference(differences, dilation, "one");
  EXPECT_EQ(differences.front().message(), "dilation: 4 in A, 2 in B (one)");
  add_point_difference(differences, dilation, "two");
  add_point_difference(differences, {.severity = Severity::warn, .what = "dilation"}, "three");
  EXPECT_THAT(differences, ElementsAre(Field(&Difference::points, ElementsAre("one", "two")),
                                       Field(&Difference::points, ElementsAre("three"))));
  EXPECT_EQ(differences.front().message(), "dilation: 4 in A, 2 in B (one, and 1 more)");
}

// A terminal shows what a folder says; it does not obey it.
TEST(Difference, MessagesAreOneLineOfPlainText) {
  const Difference hostile{.what = "build.commit", .a = "\x1b[2J", .b = "x\ngradwire: ok"};
  EXPECT_EQ(hostile.message(), "build.commit: \xef\xbf\xbd[2J in A, x gradwire: ok in B");
}

}  // namespace
}  // namespace gradwire::report
