// What is found in files that yaml-cpp passes over or explains badly.
#include "core/text/yaml_faults.h"

#include <string>

#include <gmock/gmock.h>

#include "core/text/yaml_document.h"

namespace gradwire::text {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string answer_to(std::string_view text) {
  try {
    static_cast<void>(parse_yaml(text, "x.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kNoBreak = "\xc2\xa0";

// yaml-cpp takes the end of the file for the closing quote, and the keys below for its text.
TEST(UnclosedQuote, IsNamedWhereItBegins) {
  EXPECT_THAT(answer_to("name: t\ndescription: \"half of a quote\niterations: 50\n"),
              AllOf(StartsWith("x.yaml:2:14: the quote \" that begins here is not closed"),
                    HasSubstr("the file ends inside it")));
  EXPECT_THAT(answer_to("description: 'it''s\niterations: 50\n"),
              StartsWith("x.yaml:1:14: the quote '"));
  EXPECT_THAT(answer_to("a: 1\n\"b: 2\nc: 3\n"), StartsWith("x.yaml:2:1: the quote \""));
  EXPECT_THAT(answer_to("- 1\n- \"two\n- 3\n"), StartsWith("x.yaml:2:3: the quote \""));
  EXPECT_THAT(answer_to("a: {b: \"c, d: 1}\n"), StartsWith("x.yaml:1:8: the quote \""));
  EXPECT_THAT(answer_to("a: \"b\\\"\nc: 1\n"), StartsWith("x.yaml:1:4: the quote \""));
  EXPECT_THAT(answer_to("a: 'b\\''\nc: 1\n"), StartsWith("x.yaml:1:4: the quote '"));
  EXPECT_THAT(answer_to("\xef\xbb\xbf"
                        "a: \"b\nc: 1\n"),
              StartsWith("x.yaml:1:4: the quote \""));
  EXPECT_THAT(answer_to("a: \"b\r\nc: 1\r\n"), StartsWith("x.yaml:1:4: the quote \""));
}

// A second odd quote closes the first one: nothing of a value may stand left of its key.
TEST(UnclosedQuote, IsNotClosedByThatOfALaterKey) {
  EXPECT_THAT(answer_to("description: \"half\niterations: 50\nname: \"\n"),
              AllOf(StartsWith("x.yaml:1:14: "), HasSubstr("before the next key")));
  EXPECT_THAT(answer_to("description: \"half\nwiring: \"bcube(3,2)\"\n"),
              StartsWith("x.yaml:1:14: the quote \""));
  EXPECT_THAT(answer_to("link:\n  rate: \"1Gbit\n  mtu: 1500\nname: t\"\n"),
              StartsWith("x.yaml:2:9: the quote \""));
}

TEST(UnclosedQuote, IsNoneWhereOneEnds) {
  for (const char* text :
       {"a: \"b\"\n", "a: \"b\"", "a: 'it''s'\n", "a: \"\\\"\"\n", "a: \"two\n  lines\"\nb: 1\n",
        "a: \"two\n\n  lines\"\n", "a: don't\nb: 5\" disks\n", "a: |\n  \"half\nb: 1\n",
        "{\"a\": \"b\",\n\"c\": {\"d\":\n\"e\"}}\n", "a: 1 # \"half\nb: 2\n", "\"a\": ''\n"}) {
    EXPECT_EQ(answer_to(text), "accepted") << text;
  }
}

// Each is found without a walk over the lines above.
TEST(UnclosedQuote, IsLookedForInManyLinesAtOnce) {
  std::string many;
  for (int i = 0; i < 40'000; ++i) many += "- \"" + std::to_string(i) + "\"\n";
  EXPECT_EQ(answer_to(many), "accepted");
  EXPECT_THAT(answer_to(many + "- 'x\n"), StartsWith("x.yaml:40001:3: the quote '"));
}

TEST(Blanks, ATabThatIndentsIsNamed) {
  EXPECT_THAT(answer_to("link:\n\trate: 1Gbit\n"), StartsWith("x.yaml:2:1: a tab stands here"));
  EXPECT_THAT(answer_to("link:\n  mtu: 1500\n  \trate: 1Gbit\n"),
              StartsWith("x.yaml:3:3: a tab stands here"));
  EXPECT_EQ(answer_to("rate:\t1Gbit\t# a tab\n"), "accepted");
  EXPECT_EQ(answer_to("{\n\t\"a\": 1\n}\n"), "accepted");
}

TEST(Blanks, WhatOnlyLooksLikeOneIsNamed) {
  const std::string said = "a no-break blank (U+00A0) stands here, which is no blank in YAML";
  EXPECT_THAT(answer_to("a: 1\nrate:" + kNoBreak + "1Gbit\n"), StartsWith("x.yaml:2:6: " + said));
  EXPECT_THAT(answer_to("link:\n" + kNoBreak + kNoBreak + "rate: 1Gbit\n"),
              StartsWith("x.yaml:2:1: " + said));
  EXPECT_THAT(answer_to("link:\n  mtu: 1500\n " + kNoBreak + "rate: 1Gbit\n"),
              StartsWith("x.yaml:3:2: " + said));
  EXPECT_THAT(answer_to("rate: " + kNoBreak + "1Gbit\n"), StartsWith("x.yaml:1:7: " + said));
  EXPECT_THAT(answer_to("a: {b:" + kNoBreak + "1}\n"), StartsWith("x.yaml:1:7: " + said));
  EXPECT_THAT(answer_to("rate: 1Gbit\xe2\x80\x8b\n"),
              StartsWith("x.yaml:1:12: a blank of no width (U+200B)"));
  EXPECT_EQ(answer_to("description: 5" + kNoBreak + "ms\n"), "accepted");
  EXPECT_THAT(answer_to("description: 5" + kNoBreak + "ms\na: 1\nb: 2\nc: [ring\n"),
              Not(HasSubstr("no-break")))
      << "it is not to blame";
  EXPECT_EQ(answer_to("a: \"" + kNoBreak + "\" #" + kNoBreak + "\n"), "accepted");
}

TEST(Lines, ACarriageReturnAloneIsNamed) {
  EXPECT_THAT(answer_to("a: 1\rb: 2\r"), StartsWith("x.yaml:1:5: a carriage return (CR)"));
  EXPECT_THAT(answer_to("a: 1\n  \r\n\rb: 2\n"), StartsWith("x.yaml:3:1: a carriage return (CR)"));
  EXPECT_EQ(answer_to("a: 1\r\nb: 2\r\n"), "accepted");
}

}  // namespace
}  // namespace gradwire::text
