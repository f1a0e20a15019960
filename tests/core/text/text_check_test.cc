#include "core/text/text_check.h"

#include <gtest/gtest.h>

namespace gradwire::text {
namespace {

TEST(IsUtf8, LooksAtEveryByte) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("caf\xc3\xa9\x1b\n"));
  EXPECT_FALSE(is_utf8("caf\xe9"));
  EXPECT_FALSE(is_utf8("caf\xe9.yaml"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80")) << "a surrogate";
}

TEST(PlainText, KeepsWhatIsText) {
  EXPECT_EQ(plain_text("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\t\r\n"),
            "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\t\r\n");
  EXPECT_EQ(plain_text(""), "");
}

TEST(PlainText, ReplacesControlCharactersAndMalformedBytes) {
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(plain_text("a\x1b[2Jb"), "a" + replaced + "[2Jb");
  EXPECT_EQ(plain_text(std::string("\0", 1)), replaced);
  EXPECT_EQ(plain_text("\x7f"), replaced);
  EXPECT_EQ(plain_text("\xc2\x9b"
                       "2J"),
            replaced + "2J")
      << "one character: U+009B";
  EXPECT_EQ(plain_text("\xc2\xa0"), "\xc2\xa0");
  EXPECT_EQ(plain_text("\xff"
                       "a\xc3"),
            replaced + "a" + replaced);
  EXPECT_EQ(plain_text("\xed\xa0\x80"), replaced + replaced + replaced) << "a surrogate";
}

TEST(PlainLine, IsOneLine) {
  EXPECT_EQ(plain_line("a\tb\r\nc\x01"), "a b  c\xef\xbf\xbd");
}

}  // namespace
}  // namespace gradwire::text
