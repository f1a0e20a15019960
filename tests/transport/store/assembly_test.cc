#include "transport/store/assembly.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::transport::store {
namespace {

using ::testing::Optional;

constexpr const char* kGone = "it is gone";

/// A job of three, all of whom are here.
Assembly complete() {
  Assembly assembly(3);
  for (std::size_t i = 0; i < 3; ++i) assembly.join(Rank(i));
  return assembly;
}

std::optional<Failure> failure_in(const std::optional<Message>& message) {
  return message ? body_of<Failure>(*message) : std::nullopt;
}

TEST(Assembly, TakesEachRankOfItsJobOnce) {
  Assembly assembly(3);
  EXPECT_EQ(assembly.judge(Rank(2), 3), Judgement::welcome);
  assembly.join(Rank(2));
  EXPECT_EQ(assembly.judge(Rank(2), 3), Judgement::taken);
  EXPECT_EQ(assembly.judge(Rank(3), 3), Judgement::others);
  EXPECT_EQ(assembly.judge(Rank(1), 4), Judgement::others);
  EXPECT_FALSE(assembly.is_complete());
  assembly.join(Rank(0));
  EXPECT_EQ(assembly.judge(Rank(1), 3), Judgement::welcome);
  assembly.join(Rank(1));
  EXPECT_TRUE(assembly.is_complete());
}

TEST(Assembly, HandsOutByRankOnceTheLastHasCome) {
  Assembly assembly = complete();
  for (const std::string round : {"first", "second"}) {
    EXPECT_EQ(assembly.contribute(Rank(2), round + " c"), std::nullopt);
    EXPECT_EQ(assembly.contribute(Rank(0), round + " a"), std::nullopt);
    const auto message = assembly.contribute(Rank(1), round + " b");
    ASSERT_TRUE(message);
    EXPECT_THAT(body_of<Gathered>(*message),
                Optional(Gathered{{round + " a", round + " b", round + " c"}}));
  }
}

TEST(Assembly, WhoLeavesIsMissedOnlyByThoseWhoNeedIt) {
  Assembly assembly = complete();
  EXPECT_EQ(assembly.leave(Rank(1)), std::nullopt);
  EXPECT_EQ(assembly.lose(Rank(1), kGone), std::nullopt);
  EXPECT_EQ(failure_in(assembly.contribute(Rank(0), "x")),
            (Failure{.culprit = Rank(1), .text = "it has left the job"}));
}

TEST(Assembly, WhoIsWaitedForAndLeavesIsAtFault) {
  Assembly assembly = complete();
  EXPECT_EQ(assembly.contribute(Rank(0), "x"), std::nullopt);
  EXPECT_EQ(failure_in(assembly.leave(Rank(2)))->culprit, Rank(2));
}

TEST(Assembly, WhoLeavesLettersUnansweredIsAtFault) {
  Assembly assembly = complete();
  EXPECT_EQ(assembly.post(Rank(0), {.other = Rank(1), .line = 0}), std::nullopt);
  EXPECT_EQ(assembly.post(Rank(0), {.other = Rank(2), .line = 0}), std::nullopt);
  EXPECT_EQ(assembly.post(Rank(2), {.other = Rank(0), .line = 0}), std::nullopt);  // the answer
  EXPECT_EQ(assembly.post(Rank(1), {.other = Rank(0), .line = 1}), std::nullopt);  // is none
  EXPECT_EQ(assembly.leave(Rank(2)), std::nullopt);
  EXPECT_EQ(failure_in(assembly.leave(Rank(1))),
            (Failure{.culprit = Rank(1), .text = "it has left the job"}));
}

TEST(Assembly, NobodyWritesToWhoIsNotThere) {
  Assembly assembly = complete();
  EXPECT_EQ(assembly.leave(Rank(2)), std::nullopt);
  EXPECT_EQ(failure_in(assembly.post(Rank(0), {.other = Rank(2)}))->culprit, Rank(2));
  Assembly another = complete();
  EXPECT_EQ(failure_in(another.post(Rank(0), {.other = Rank(3)}))->culprit, Rank(0));
}

TEST(Assembly, TheFirstFailureIsTheJobs) {
  Assembly assembly = complete();
  EXPECT_EQ(failure_in(assembly.lose(Rank(2), kGone))->culprit, Rank(2));
  EXPECT_EQ(assembly.fail(Rank(0), {.culprit = Rank(1), .text = "an echo"}), std::nullopt);
  EXPECT_EQ(assembly.failure()->culprit, Rank(2));
}

TEST(Assembly, WhereNobodyIsAtFaultItIsWhoIsWaitedFor) {
  Assembly assembly = complete();
  EXPECT_EQ(assembly.contribute(Rank(0), "x"), std::nullopt);
  EXPECT_EQ(assembly.contribute(Rank(2), "x"), std::nullopt);
  EXPECT_EQ(failure_in(assembly.fail(Rank(2), {.text = "nobody comes"})),
            (Failure{.culprit = Rank(1), .text = "rank 2 says: nobody comes"}));
}

TEST(Assembly, AFailureKeepsItsTextUpToItsLimit) {
  Assembly assembly = complete();
  const auto failure = failure_in(assembly.lose(Rank(2), std::string(kMostText + 1, 'x')));
  EXPECT_EQ(failure->text, std::string(kMostText, 'x'));
}

TEST(Assembly, ARankThatDoesNotExistIsNotAtFault) {
  Assembly assembly = complete();
  EXPECT_EQ(failure_in(assembly.fail(Rank(2), {.culprit = Rank(7), .text = "?"}))->culprit,
            Rank(2));
}

}  // namespace
}  // namespace gradwire::transport::store
