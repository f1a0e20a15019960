#include "core/text/schema_check.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/text/yaml_document.h"

namespace gradwire::text {
namespace {

constexpr const char* kSchema = R"({
  "type": "object", "properties": {
    "first": {"type": "array", "x-expects": "words",
              "items": {"type": "string", "x-expects": "a word"}},
    "second": {"type": "string", "x-expects": "a word"}}})";

std::string refusal_by_schema(const YamlDocument& document) {
  try {
    check_against_schema(document, kSchema);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// An invalid item makes its list and the document invalid; it alone is to blame.
TEST(SchemaCheck, NamesTheFirstCauseInTheText) {
  EXPECT_EQ(refusal_by_schema(parse_yaml("first: [a, b]\nsecond: c\n", "x")), "");
  EXPECT_EQ(refusal_by_schema(parse_yaml("first: [a, 2, 3]\nsecond: 4\n", "x")),
            "x:1:12: first: expected a word, found '2'");
  EXPECT_EQ(refusal_by_schema(parse_yaml("second: 4\nfirst: [a, 2, 3]\n", "x")),
            "x:1:9: second: expected a word, found '4'");
  EXPECT_EQ(refusal_by_schema(parse_yaml("first: 1\n", "x")),
            "x:1:8: first: expected words, found '1'");
}

// As many errors as a file may have values, and three times more: comparing each with each would
// not come to an end within this test's time.
TEST(SchemaCheck, IsNotSlowedByManyErrors) {
  YamlDocument document{.file = "x"};
  document.root.kind = YamlKind::map;
  YamlNode list{.kind = YamlKind::sequence};
  for (std::size_t i = 0; i < 3 * YamlLimits{}.nodes; ++i) {
    list.items.push_back(
        {.kind = YamlKind::scalar, .position = {.line = 1, .column = 9 + i}, .text = "1"});
  }
  document.root.entries.push_back({.key = "first", .value = std::move(list)});
  EXPECT_EQ(refusal_by_schema(document), "x:1:9: first: expected a word, found '1'");
}

}  // namespace
}  // namespace gradwire::text
