#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "workloads/trace.h"

/// Everything that can be wrong with a trace is refused at its place, in words that say what to do.
namespace gradwire::workloads {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Wrong {
  const char* why;  ///< as the test is called
  std::string text;
  std::string place;
  std::string message;  ///< a part of it
};

std::string refusal_of_trace(const std::string& text, const std::string& name, const Model* model) {
  try {
    static_cast<void>(parse_trace(text, name, model));
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// Of two tensors, with 100 and 10 elements.
const Model kModel{.name = "two",
                   .tensors = {{.name = "w", .elements = 100}, {.name = "b", .elements = 10}}};

class WrongCsv : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongCsv, IsRefusedAtItsPlace) {
  const Wrong& wrong = GetParam();
  EXPECT_THAT(refusal_of_trace(wrong.text, "x.csv", &kModel),
              AllOf(StartsWith("x.csv:" + wrong.place + ": "), HasSubstr(wrong.message)));
}

const std::string kHeader = "tensor,elements,forward_us,backward_us\n";

INSTANTIATE_TEST_SUITE_P(
    Header, WrongCsv,
    ::testing::Values(
        Wrong{"Empty", "", "1:1", "no line of column names"},
        Wrong{"OnlyComments", "# source: me\n", "1:1", "no line of column names"},
        Wrong{"MissingColumn", "# x\ntensor,elements\nw,100\n", "2:1", "'backward_us' is missing"},
        Wrong{"MissingTensor", "elements,backward_us\n", "1:1", "'tensor' is missing"},
        Wrong{"UnknownColumn", "tensor,elements,backward\n", "1:17",
              "unknown column 'backward'; there are: tensor, layer, elements, forward_us, "
              "backward_us"},
        Wrong{"DuplicateColumn", "tensor,elements, elements,backward_us\n", "1:18",
              "'elements' is given twice"},
        Wrong{"OtherSeparator", "tensor;elements;backward_us\n", "1:1", "unknown column"},
        Wrong{"NoRows", "# x\n" + kHeader, "2:1", "no tensors"}),
    [](const auto& tested) { return tested.param.why; });

INSTANTIATE_TEST_SUITE_P(
    Version, WrongCsv,
    ::testing::Values(Wrong{"Newer",
                            "# source: me\n# gradwire-trace: 2\n" + kHeader + "w,100,1,1\n", "2:1",
                            "the trace is of version 2; this gradwire reads version 1"},
                      Wrong{"NewerWithUnknownColumns", "# gradwire-trace: 2\ntensor,bytes\n", "1:1",
                            "is of version 2"}),
    [](const auto& tested) { return tested.param.why; });

INSTANTIATE_TEST_SUITE_P(
    Rows, WrongCsv,
    ::testing::Values(
        Wrong{"TooFewFields", kHeader + "w,100,1\n", "2:7", "3 fields, where line 1 names 4"},
        Wrong{"TooManyFields", kHeader + "w,100,1,1,1\n", "2:11", "5 fields, where line 1 names 4"},
        Wrong{"QuotedComma", kHeader + "\"w,v\",100,1,1\n", "2:1", "neither commas nor quotes"},
        Wrong{"NoName", kHeader + ",100,1,1\n", "2:1", "name is empty"},
        Wrong{"NotANumber", kHeader + "w,100,1,fast\n", "2:9", "'fast' is not a time"},
        Wrong{"HalfANumber", kHeader + "w,100,1,2us\n", "2:9", "'2us' is not a time"},
        Wrong{"EmptyNumber", kHeader + "w,100,,1\n", "2:7", "'' is not a time"},
        Wrong{"NaN", kHeader + "w,100,1,nan\n", "2:9", "'nan' is not finite"},
        Wrong{"Infinite", kHeader + "w,100,inf,1\n", "2:7", "'inf' is not finite"},
        Wrong{"NegativeInfinite", kHeader + "w,100,1,-inf\n", "2:9", "'-inf' is not finite"},
        Wrong{"Negative", kHeader + "w,100,1, -1\n", "2:10", "'-1' is negative"},
        Wrong{"NegativeForward", kHeader + "w,100,-0.5,1\n", "2:7", "'-0.5' is negative"},
        Wrong{"BeyondDouble", kHeader + "w,100,1,1e999\n", "2:9", "'1e999' is out of range"},
        Wrong{"TooLong", kHeader + "w,100,1,1e11\n", "2:9", "more than 10,000 s"},
        Wrong{"Control", kHeader + "w,100,\x01,1\n", "2:7", "control character 0x01"},
        Wrong{"NotUtf8", kHeader + "\xff,100,1,1\n", "2:1", "not UTF-8"}),
    [](const auto& tested) { return tested.param.why; });

INSTANTIATE_TEST_SUITE_P(
    Elements, WrongCsv,
    ::testing::Values(
        Wrong{"Zero", kHeader + "w,0,1,1\n", "2:3", "'0' is not a whole number above 0"},
        Wrong{"Negative", kHeader + "w,-1,1,1\n", "2:3", "'-1' is not a whole number above 0"},
        Wrong{"NotWhole", kHeader + "w,100.5,1,1\n", "2:3", "'100.5' is not a whole number"},
        Wrong{"Hexadecimal", kHeader + "w,0x64,1,1\n", "2:3", "'0x64' is not a whole number"},
        Wrong{"Signed", kHeader + "w,+100,1,1\n", "2:3", "'+100' is not a whole number"},
        Wrong{"Beyond64Bits", kHeader + "w,99999999999999999999,1,1\n", "2:3", "out of range"},
        Wrong{"TooMany", kHeader + "w,1099511627777,1,1\n", "2:3", "more than a tensor may have"}),
    [](const auto& tested) { return tested.param.why; });

INSTANTIATE_TEST_SUITE_P(
    OtherModel, WrongCsv,
    ::testing::Values(Wrong{"Elements", kHeader + "w,100,1,1\nb,11,1,1\n", "3:3",
                            "'b' has 11 elements, but tensor 2 of two is 'b' with 10"},
                      Wrong{
                          "TooFew", kHeader + "w,100,1,1\n\n", "2:1",
                          "'b' of two is missing after this: the trace has 1 tensors, the model 2"},
                      Wrong{"TooMany", kHeader + "w,100,1,1\nb,10,1,1\n# x\nc,1,1,1\nd,1,1,1\n",
                            "5:1", "'c' is one too many: the trace has 4 tensors, two has 2"}),
    [](const auto& tested) { return tested.param.why; });

class WrongJson : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongJson, IsRefusedAtItsPlace) {
  const Wrong& wrong = GetParam();
  EXPECT_THAT(refusal_of_trace(wrong.text, "x.json", &kModel),
              AllOf(StartsWith("x.json:" + wrong.place + ": "), HasSubstr(wrong.message)));
}

/// A trace with one tensor, which begins at 2:1.
std::string with(const std::string& tensor) {
  return "{\"tensors\": [\n" + tensor + "]}";
}

INSTANTIATE_TEST_SUITE_P(
    Form, WrongJson,
    ::testing::Values(
        Wrong{"Empty", "", "1:1", "the file is empty"},
        Wrong{"AList", "\n [1]", "2:2", "a trace is {"},
        Wrong{"AWord", "hello", "1:1", "a trace is {"},
        Wrong{"NoTensors", "{\"source\": \"me\"}", "1:1", "'tensors' is missing"},
        Wrong{"UnknownKey", "{\"tensor\": []}", "1:2", "unknown key 'tensor'"},
        Wrong{"SourceTwice", "{\"source\": \"a\",\n\"source\": \"b\"}", "2:1", "given twice"},
        Wrong{"NewerVersion", "{\"gradwire-trace\": 2, \"layers\": []}", "1:20",
              "the trace is of version 2; this gradwire reads version 1"},
        Wrong{"NoRows", "{\n \"tensors\": []}", "2:13", "no tensors"},
        Wrong{"TensorsNotAList", "{\"tensors\": {}}", "1:13", "a trace is {"},
        Wrong{"RowNotAnObject", with("1"), "2:1", "a trace is {"},
        Wrong{"Nested", with("{\"tensor\": [1]}"), "2:12", "a trace is {"},
        Wrong{"SecondDocument",
              with("{\"tensor\": w, \"elements\": 1, \"backward_us\": 1}") + "\n---\n{}", "3:1",
              "a second one begins here"},
        Wrong{"CutOff", "{\n\"tensors\": [\n", "1:1", "a bracket stays open"},
        Wrong{"Anchor", with("&a {\"tensor\": w}"), "2:1", "anchors"},
        Wrong{"Alias", "{\"tensors\": *a}", "1:13", ""},
        Wrong{"Tag", with("{\"tensor\": !!str w}"), "2:12", "tags"},
        Wrong{"Escaped", with("{\"tensor\": \"a\\nb\"}"), "2:12", "escaped control"}),
    [](const auto& tested) { return tested.param.why; });

INSTANTIATE_TEST_SUITE_P(
    Tensor, WrongJson,
    ::testing::Values(
        Wrong{"MissingColumn", with("{\"tensor\": \"w\", \"elements\": 100}"), "2:1",
              "'backward_us' is missing"},
        Wrong{"UnknownColumn", with("{\"name\": \"w\"}"), "2:2", "unknown column 'name'"},
        Wrong{"GivenTwice", with("{\"tensor\": \"w\", \"tensor\": \"v\"}"), "2:17", "given twice"},
        Wrong{"Null", with("{\"tensor\": null}"), "2:2", "'tensor' has no value"},
        Wrong{"QuotedNumber", with("{\"tensor\": \"w\", \"elements\": \"100\"}"), "2:29",
              "'elements' is a number"},
        Wrong{"NotFinite", with("{\"tensor\": \"w\", \"elements\": 100, \"backward_us\": NaN}"),
              "2:49", "'NaN' is not finite"},
        Wrong{"Negative", with("{\"tensor\": \"w\", \"elements\": 100, \"backward_us\": -1}"),
              "2:49", "'-1' is negative"},
        Wrong{"NotWhole", with("{\"tensor\": \"w\", \"elements\": 1.5, \"backward_us\": 1}"),
              "2:29", "'1.5' is not a whole number"},
        Wrong{"CommaInName", with("{\"tensor\": \"w,v\", \"elements\": 1, \"backward_us\": 1}"),
              "2:12", "neither commas nor quotes"},
        Wrong{
            "ForwardForSome",
            with("{\"tensor\": \"w\", \"elements\": 100, \"forward_us\": 1, \"backward_us\": 1},\n"
                 " {\"tensor\": \"b\", \"elements\": 10, \"backward_us\": 1}"),
            "3:2", "given for some tensors only"},
        Wrong{"ElementsOfTheModel",
              with("{\"tensor\": \"w\", \"elements\": 99, \"backward_us\": 1}"), "2:29",
              "'w' has 99 elements, but tensor 1 of two is 'w' with 100"},
        Wrong{"CountOfTheModel", with("{\"tensor\": \"w\", \"elements\": 100, \"backward_us\": 1}"),
              "2:1", "'b' of two is missing"}),
    [](const auto& tested) { return tested.param.why; });

// A file of deep brackets must not take the parser's stack with it.
TEST(TraceJson, DoesNotFollowDeepNesting) {
  const std::string deep = std::string(500'000, '[') + std::string(500'000, ']');
  EXPECT_THAT(refusal_of_trace(deep, "x.json", nullptr),
              StartsWith("x.json:1:33: nested more than 32 deep"));
  EXPECT_THAT(refusal_of_trace("{\"tensors\": " + deep + "}", "x.json", nullptr),
              StartsWith("x.json:1:44: nested more than 32 deep"));
}

TEST(Trace, OfMoreThanFourMebibytesIsRefused) {
  const std::string large((4 << 20) + 1, '\n');
  EXPECT_THAT(refusal_of_trace(large, "x.csv", nullptr), HasSubstr("4194304 bytes"));
}

}  // namespace
}  // namespace gradwire::workloads
