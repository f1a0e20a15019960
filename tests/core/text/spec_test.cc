#include "core/text/spec.h"

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

// A value may be a name with parentheses of its own; it is kept in its one spelling.
TEST(Spec, ReadsNamesInNames) {
  const Spec spec = parse_spec("grid( 4x2, rows = reduce( root=1,chain ) , columns=ring)");
  EXPECT_EQ(spec, (Spec{.name = "grid",
                        .flags = {"4x2"},
                        .options = {{"rows", "reduce(chain, root=1)"}, {"columns", "ring"}}}));
  EXPECT_EQ(parse_spec(to_string(spec)), spec);
  EXPECT_EQ(parse_spec("grid(4x2, rows=plan(a b.json))").options.at("rows"), "plan(a b.json)");
  for (const char* text :
       {"grid(rows=a(b)c)", "grid(rows=a(b(c)))", "grid(rows=a(b)", "grid(a(b)=c)",
        "grid(rows=(a))", "grid(a(b))", "grid(rows=a(b)(c))", "grid(rows=a(-b))"}) {
    EXPECT_THROW(static_cast<void>(parse_spec(text)), InputError) << text;
  }
}

TEST(Spec, RefusesWhatIsMalformed) {
  for (const char* text :
       {"", "(", "ring(", "ring)", "ring()x", "ps(a,,b)", "ps(a,a)", "ps(a=1,a=2)", "ps(=1)",
        "ps(a=)", "Ring", "ri ng", "ps(a=1=2)", "9ring", "ps(-a)"}) {
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
