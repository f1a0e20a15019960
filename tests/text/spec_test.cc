#include "text/spec.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::text {
namespace {

TEST(Spec, ReadsNamesFlagsAndOptions) {
  EXPECT_EQ(parse_spec("ring"), (Spec{.name = "ring"}));
  EXPECT_EQ(parse_spec(" ps( servers = 2 , dedicated ) "),
            (Spec{.name = "ps", .flags = {"dedicated"}, .options = {{"servers", "2"}}}));
  EXPECT_EQ(to_string(parse_spec("ps(servers=2,dedicated)")), "ps(dedicated, servers=2)");
  EXPECT_EQ(parse_spec("ring(order=../orders/a_b.txt)").options.at("order"), "../orders/a_b.txt");
}

TEST(Spec, RefusesWhatIsMalformed) {
  for (const char* text :
       {"", "(", "ring(", "ring)", "ring()x", "ps(a,,b)", "ps(a,a)", "ps(a=1,a=2)", "ps(=1)",
        "ps(a=)", "Ring", "ri ng", "ps(a=1=2)", "9ring"}) {
    EXPECT_THROW(static_cast<void>(parse_spec(text)), InputError) << text;
  }
}

TEST(Call, TakesNamesApartWithoutJudging) {
  const Call call = parse_call(" torus( 3,4 , -x= y)");
  EXPECT_EQ(call.name, "torus");
  EXPECT_EQ(call.arguments, (std::vector<std::string_view>{"3", "4", "-x= y"}));
  EXPECT_TRUE(parse_call("ring").arguments.empty());
  EXPECT_EQ(parse_call("graph(a (1),b.yaml)", Parentheses::path).arguments,
            (std::vector<std::string_view>{"a (1),b.yaml"}));
}

TEST(Call, RefusesParenthesesThatDoNotClose) {
  for (const char* text : {"ring(", "ring()", "ring(a)b", "ring(a))", "ring)(", "ring((a)b)"}) {
    EXPECT_THROW(static_cast<void>(parse_call(text)), InputError) << text;
  }
  const std::string many = "x(" + std::string(kMostArguments, ',') + ")";
  EXPECT_THROW(static_cast<void>(parse_call(many)), InputError);
}

}  // namespace
}  // namespace gradwire::text
