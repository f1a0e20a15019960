#include "schedule/policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "schedule/optimum.h"

namespace gradwire::schedule {
namespace {

using ::testing::HasSubstr;

/// Four gradients of 1 MiB, ready every 10 ms.
BackwardPass pass() {
  BackwardPass pass;
  for (int i = 1; i <= 4; ++i) {
    pass.gradients.push_back({.ready = Seconds(0.01 * i), .bytes = 1 << 20});
  }
  pass.end = Seconds(0.04);
  return pass;
}

constexpr Affine kCheapStart{.a = Seconds(1e-3), .b = 1e-9};
constexpr Affine kDearStart{.a = Seconds(1), .b = 1e-9};

std::size_t messages(const char* policy, const CostModel& cost = {kCheapStart, kCheapStart}) {
  return make_schedule(text::parse_spec(policy), pass(), cost).buckets.size();
}

TEST(Policies, EveryNameIsThePolicyItSays) {
  EXPECT_EQ(messages("none"), 4u);
  EXPECT_FALSE(
      make_schedule(text::parse_spec("none"), pass(), {kCheapStart, kCheapStart}).overlaps);
  EXPECT_EQ(messages("wfbp"), 4u);
  EXPECT_EQ(messages("synceasgd"), 1u);
  EXPECT_EQ(messages("ddp"), 2u);      // 1 MiB fills the first; three more are below 25 MiB
  EXPECT_EQ(messages("horovod"), 4u);  // 10 cycles lie between two gradients
  EXPECT_EQ(messages("horovod(cycle=40ms)"), 1u);
  EXPECT_EQ(messages("horovod(cycle=40ms, cap=2MiB)"), 2u);
  EXPECT_EQ(messages("fixed(cap=2MiB)"), 2u);
  EXPECT_EQ(messages("fixed(first=1MiB, cap=2MiB)"), 3u);
  EXPECT_EQ(messages("fixed(fuse, cap=3MiB)"), 2u);
  EXPECT_EQ(messages("mg-wfbp"), 4u);
  EXPECT_EQ(messages("optimum"), 4u);
}

// The greedy rule goes by the line, the optimum by the cost.
TEST(Policies, UseTheCostThatTheyCanUse) {
  EXPECT_EQ(messages("mg-wfbp", {.cost = kCheapStart, .line = kDearStart}), 1u);
  EXPECT_EQ(messages("optimum", {.cost = kCheapStart, .line = kDearStart}), 4u);
  EXPECT_EQ(messages("optimum", {.cost = kDearStart, .line = kCheapStart}), 1u);
}

// A row says all that is known of a policy: its name alone, and its name with each of its options,
// are read.
TEST(Policies, EveryRowIsRead) {
  for (const PolicyKind& kind : policy_kinds()) {
    EXPECT_NO_THROW(check_policy({.name = std::string(kind.name)})) << kind.name;
    EXPECT_FALSE(kind.about.empty()) << kind.name;
    for (const text::OptionForm& option : kind.options) {
      text::Spec spec{.name = std::string(kind.name)};
      if (option.value == text::OptionForm::Value::none) {
        spec.flags = {std::string(option.key)};
      } else {
        const bool time = option.value == text::OptionForm::Value::duration;
        spec.options = {{std::string(option.key), time ? "3ms" : "3MiB"}};
      }
      EXPECT_NO_THROW(check_policy(spec)) << to_string(spec);
    }
  }
}

TEST(Policies, ThoseThatGoByCostSaySo) {
  EXPECT_TRUE(plans_by_cost(text::parse_spec("mg-wfbp")));
  EXPECT_TRUE(plans_by_cost(text::parse_spec("mg-wfbp-infocom")));
  EXPECT_TRUE(plans_by_cost(text::parse_spec("optimum")));
  EXPECT_FALSE(plans_by_cost(text::parse_spec("wfbp")));
  EXPECT_FALSE(plans_by_cost(text::parse_spec("fixed(cap=1MiB)")));
}

TEST(Policies, UnknownOnesAndOptionsAreRefused) {
  const auto refusal = [](const char* policy) -> std::string {
    try {
      check_policy(text::parse_spec(policy));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("wfpb"),
              HasSubstr("unknown schedule 'wfpb' (did you mean 'wfbp'?); there are: none, "));
  EXPECT_THAT(refusal("wfbp(cap=1MiB)"), HasSubstr("takes no options"));
  EXPECT_THAT(refusal("fixed(caps=1MiB)"), HasSubstr("caps"));
  EXPECT_THAT(refusal("fixed(cap=many)"), HasSubstr("many"));
  EXPECT_THAT(refusal("fixed(fuse=1)"), HasSubstr("without a value"));
  EXPECT_THAT(refusal("fixed(cap)"), HasSubstr("needs a value"));
  EXPECT_THAT(refusal("fixed(first=1MiB, cap=2MiB, fuse)"), HasSubstr("exclude each other"));
}

}  // namespace
}  // namespace gradwire::schedule
