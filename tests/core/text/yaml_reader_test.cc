#include "core/text/yaml_reader.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace gradwire::text {
namespace {

// YAML's "-0" is a whole number, and not below 0: schemas admit it.
TEST(YamlNumber, OfAnUnsignedKindMayBeMinusZero) {
  EXPECT_EQ(number<std::uint64_t>("-0"), 0u);
  EXPECT_EQ(number<std::uint64_t>("12"), 12u);
  EXPECT_THROW(static_cast<void>(number<std::uint64_t>("-5")), InternalError);
  EXPECT_EQ(number<std::int64_t>("-12"), -12);
  EXPECT_EQ(number<double>("-0.5"), -0.5);
}

}  // namespace
}  // namespace gradwire::text
