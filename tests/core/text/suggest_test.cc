#include "core/text/suggest.h"

#include <vector>

#include <gtest/gtest.h>

namespace gradwire::text {
namespace {

const std::vector<std::string> kWords{"wiring", "warmup", "ring"};

TEST(Nearest, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(nearest("wirign", kWords), "wiring");
  EXPECT_EQ(nearest("rng", kWords), "ring");
  EXPECT_EQ(nearest("topology", kWords), std::nullopt);
  EXPECT_EQ(nearest("WarmUp", kWords), "warmup") << "a capital is no mistake";
}

TEST(UnknownName, AsksOnlyWhereSomethingIsNear) {
  EXPECT_EQ(unknown_name("key", "warmpu", kWords), "unknown key 'warmpu' (did you mean 'warmup'?)");
  EXPECT_EQ(unknown_name("key", "x", {}), "unknown key 'x'");
  EXPECT_EQ(unknown_name("key", "a\nb", {}), "unknown key 'a?b'");
}

}  // namespace
}  // namespace gradwire::text
