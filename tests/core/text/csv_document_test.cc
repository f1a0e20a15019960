#include "core/text/csv_document.h"

#include <gmock/gmock.h>

namespace gradwire::text {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

std::vector<std::string> texts(const std::vector<CsvField>& fields) {
  std::vector<std::string> texts;
  for (const CsvField& field : fields) texts.push_back(field.text);
  return texts;
}

std::string refusal_of_csv(std::string_view text) {
  try {
    static_cast<void>(parse_csv(text, "x.csv"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CsvDocument, HasFieldsAndTheirPlaces) {
  const CsvDocument document = parse_csv(
      "\xEF\xBB\xBF# hosts\r\n"
      "a, b ,c\r\n"
      " # of one rack \r\n"
      "1,,\"x, \"\"y\"\"\" \r\n"
      "  2,\t3,",
      "x.csv");
  EXPECT_THAT(texts(document.comments), ElementsAre("hosts", "of one rack"));
  EXPECT_EQ(document.comments[1].position, (TextPosition{3, 2}));
  EXPECT_THAT(texts(document.header), ElementsAre("a", "b", "c"));
  ASSERT_EQ(document.records.size(), 2u);
  EXPECT_THAT(texts(document.records[0]), ElementsAre("1", "", "x, \"y\""));
  EXPECT_THAT(texts(document.records[1]), ElementsAre("2", "3", ""));
  EXPECT_EQ(document.header[1].position, (TextPosition{2, 4}));
  EXPECT_EQ(document.records[0][2].position, (TextPosition{4, 4}));
  EXPECT_EQ(document.records[1][0].position, (TextPosition{5, 3}));
}

TEST(CsvDocument, ErrorsNameTheirPlace) {
  EXPECT_THAT(refusal_of_csv(""), StartsWith("x.csv:1:1: there is no line"));
  EXPECT_THAT(refusal_of_csv("# only this\n"), StartsWith("x.csv:1:1: there is no line"));
  EXPECT_THAT(refusal_of_csv("a,b,a\n"), StartsWith("x.csv:1:5: column 'a' is given twice"));
  EXPECT_THAT(refusal_of_csv("a,b\n1,2,3\n"),
              StartsWith("x.csv:2:5: 3 fields, where line 1 names 2"));
  EXPECT_THAT(refusal_of_csv("a,b\n1\n"), StartsWith("x.csv:2:1: 1 fields"));
  EXPECT_THAT(refusal_of_csv("a,b\n1,\"2\n"), StartsWith("x.csv:2:3: this quote is not closed"));
  EXPECT_THAT(refusal_of_csv("a,b\n\"1\"x,2\n"),
              StartsWith("x.csv:2:4: text after a closing quote"));
  EXPECT_THAT(refusal_of_csv("a,b\n1,2\"3\n"), StartsWith("x.csv:2:4: a quote inside a field"));
  EXPECT_THAT(refusal_of_csv("a,b\n1,\xff\n"), StartsWith("x.csv:2:3: byte 0xff is not UTF-8"));
}

}  // namespace
}  // namespace gradwire::text
