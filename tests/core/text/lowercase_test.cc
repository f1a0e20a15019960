#include "core/text/lowercase.h"

#include <gtest/gtest.h>

namespace gradwire::text {
namespace {

TEST(Lowercase, ChangesLettersOfAsciiAlone) {
  EXPECT_EQ(lowercase("FatTree(8)_[@Z"), "fattree(8)_[@z");
  EXPECT_EQ(lowercase("\xc3\x84"), "\xc3\x84") << "a capital A with two dots";
}

}  // namespace
}  // namespace gradwire::text
