#include "results/report/pair_key.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/computed_profile.h"
#include "tests/results/record/altered.h"

namespace gradwire::report {
namespace {

using record::Field;

const nlohmann::json kLink = {{"rate_bits_per_s", 1e9}, {"mtu", 9000}};

std::string key_of(const record::Configuration& configuration) {
  return pair_key(kLink, {.configuration = configuration});
}

// The page pairs a measured row with the simulated one that has the same key.
TEST(PairKey, IsTheSameForRowsThatDifferInNothingButTheBacking) {
  const record::Configuration plain;
  for (const Field field : record::kAllFields) {
    const bool pairs = field == Field::backing || field == Field::point;
    EXPECT_EQ(key_of(plain) == key_of(record::altered(plain, field)), pairs)
        << static_cast<int>(field);
  }
}

TEST(PairKey, IsOfTheLinksAndTheProfileToo) {
  record::Row row;
  const std::string plain = pair_key(kLink, row);
  EXPECT_NE(pair_key({{"rate_bits_per_s", 2e9}, {"mtu", 9000}}, row), plain);
  row.training.emplace().plan.profile = "derived";
  const std::string derived = pair_key(kLink, row);
  EXPECT_NE(derived, plain);
  row.training->plan.profile = "measured";
  EXPECT_NE(pair_key(kLink, row), derived);
}

// Timed waits predict what a program computes when they are of the times that it is predicted from.
TEST(PairKey, OfAProgramThatComputedIsThatOfWhatPredictsIt) {
  record::Row row;
  row.training.emplace().plan.profile = "measured: a stopwatch";
  const std::string waited = pair_key(kLink, row);
  row.training->plan.profile = record::computed_profile("two layers", "measured: a stopwatch");
  EXPECT_EQ(pair_key(kLink, row), waited);
  row.training->plan.profile = record::computed_profile("two layers", "measured: an hourglass");
  EXPECT_NE(pair_key(kLink, row), waited);
}

}  // namespace
}  // namespace gradwire::report
