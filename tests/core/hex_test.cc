#include "core/hex.h"

#include <gtest/gtest.h>

namespace gradwire {
namespace {

TEST(Hex, HasTwoDigitsForEveryByte) {
  EXPECT_EQ(to_hex(std::string("\x00\x0f\xf0\xff", 4)), "000ff0ff");
  EXPECT_EQ(to_hex(std::string()), "");
}

TEST(Hex, ComesBackAsTheBytesThatItWasMadeOf) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  EXPECT_EQ(from_hex(to_hex(bytes)), bytes);
  EXPECT_EQ(from_hex("FF"), "\xff");
}

TEST(Hex, NothingElseIsRead) {
  for (const char* const text : {"f", "fff", "0g", "g0", " 0", "0x", "-1"}) {
    EXPECT_EQ(from_hex(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gradwire
