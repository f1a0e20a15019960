#include "results/record/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/point_json.h"
#include "tests/results/record/altered.h"

namespace gradwire::record {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Configuration, DifferencesNameTheFieldThatIsAnother) {
  const Configuration plain;
  EXPECT_THAT(differences(plain, plain), IsEmpty());
  for (const Field field : kAllFields) {
    const Configuration other = altered(plain, field);
    EXPECT_NE(other, plain) << static_cast<int>(field);
    EXPECT_THAT(differences(plain, other), ElementsAre(field));
    EXPECT_TRUE(same_but_for({Field::point, field}, plain, other)) << static_cast<int>(field);
  }
}

TEST(Configuration, IsNotTheSameWhereAFieldThatIsNotNamedDiffers) {
  const Configuration plain;
  const Configuration other = altered(altered(plain, Field::batch), Field::wiring);
  EXPECT_FALSE(same_but_for({Field::batch}, plain, other));
  EXPECT_TRUE(same_but_for({Field::wiring, Field::batch}, plain, other));
}

// What JSON forgets, a resumed run and a report would take for the default.
TEST(Configuration, EveryFieldSurvivesJson) {
  for (const Field field : kAllFields) {
    const Configuration written = altered({}, field);
    EXPECT_EQ(configuration_from_json(to_json(written)), written) << static_cast<int>(field);
  }
}

}  // namespace
}  // namespace gradwire::record
