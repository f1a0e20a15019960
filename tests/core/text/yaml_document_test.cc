#include "core/text/yaml_document.h"

#include <gmock/gmock.h>

namespace gradwire::text {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(std::string_view text, const YamlLimits& limits = {}) {
  try {
    static_cast<void>(parse_yaml(text, "x.yaml", limits));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(YamlDocument, ReadsJson) {
  const YamlDocument document = parse_yaml("{\"a\": [1, \"2\"],\n \"b\": null}", "x.json");
  const YamlNode& list = document.root.find("a")->value;
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_TRUE(list.items[1].quoted);
  EXPECT_EQ(list.items[1].position, (TextPosition{1, 11}));
  EXPECT_EQ(document.root.find("b")->value.kind, YamlKind::null);
}

TEST(YamlDocument, KeepsToItsLimits) {
  EXPECT_EQ(refusal("[1, 2]", {.bytes = 6}), "accepted");
  EXPECT_EQ(refusal("[1, 2]", {.bytes = 5}), "x.yaml:1:1: larger than 5 bytes");
  EXPECT_THAT(refusal("a: 1\nb: 222\n", {.line_bytes = 5}),
              StartsWith("x.yaml:2:6: a line of more"));
  EXPECT_EQ(refusal("[[1]]", {.depth = 1}), "x.yaml:1:2: nested more than 1 deep");
  EXPECT_EQ(refusal("[1, 2]", {.nodes = 3}), "accepted");
  EXPECT_EQ(refusal("[1, 2]", {.nodes = 2}), "x.yaml:1:5: more than 2 values");
}

TEST(YamlDocument, RefusesWhatCouldGrowOrMeanTwoThings) {
  EXPECT_EQ(refusal("a: &x 1\n"), "x.yaml:1:4: anchors (&x) are not allowed");
  EXPECT_THAT(refusal("a: *x\n"), StartsWith("x.yaml:1:"));
  EXPECT_EQ(refusal("a: !!int 1\n"), "x.yaml:1:4: tags (tag:yaml.org,2002:int) are not allowed");
  EXPECT_EQ(refusal("a: 1\na: 2\n"), "x.yaml:2:1: 'a' is given twice");
  EXPECT_THAT(refusal("a: 1\n---\nb: 2\n"), HasSubstr("a file holds one document"));
  EXPECT_EQ(refusal(""), "x.yaml:1:1: the file is empty");
}

}  // namespace
}  // namespace gradwire::text
