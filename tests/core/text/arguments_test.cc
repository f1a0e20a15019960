#include "core/text/arguments.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::text {
namespace {

using ::testing::HasSubstr;
using ::testing::StrEq;
using Value = OptionForm::Value;

constexpr std::array kOptions{OptionForm{"pieces", Value::number, "4"},
                              OptionForm{"cap", Value::bytes, "25MiB"},
                              OptionForm{"speed", Value::decimal, "1.5"},
                              OptionForm{"servers", Value::number, "every rank"},
                              OptionForm{"fuse", Value::none},
                              OptionForm{"cycle", Value::duration, "1ms"}};

Arguments read(const char* spec) {
  return {"x(n)", parse_spec(spec), kOptions};
}

template <class Use>
std::string refusal_of_spec(const char* spec, Use use) {
  try {
    use(read(spec));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refusal_of_spec(const char* spec) {
  return refusal_of_spec(spec, [](const Arguments&) {});
}

TEST(Arguments, AreWhatIsGivenOrTheRowsDefault) {
  const Arguments given = read("x(pieces=3, cap=1KiB, speed=0.25, servers=2, fuse, cycle=45us)");
  EXPECT_EQ(given.number("pieces"), 3u);
  EXPECT_EQ(given.bytes("cap"), 1024u);
  EXPECT_EQ(given.decimal("speed", 0, 1), 0.25);
  EXPECT_EQ(given.number_or("servers", 7), 2u);
  EXPECT_EQ(given.duration("cycle"), Nanoseconds(45'000));
  EXPECT_TRUE(given.has("fuse"));
  EXPECT_TRUE(given.has("cap"));
  const Arguments none = read("x");
  EXPECT_EQ(none.number("pieces"), 4u);
  EXPECT_EQ(none.bytes("cap"), 25u << 20);
  EXPECT_EQ(none.decimal("speed", 0, 2), 1.5);
  EXPECT_EQ(none.duration("cycle"), Nanoseconds(1'000'000));
  EXPECT_EQ(none.number_or("servers", 7), 7u);
  EXPECT_EQ(none.bytes_or("cap", 5), 5u);
  EXPECT_FALSE(none.has("fuse"));
}

TEST(Arguments, RefuseWhatTheRowHasNot) {
  EXPECT_THAT(refusal_of_spec("x(piece=3)"),
              StrEq("unknown option 'piece' (did you mean 'pieces'?); x(n) takes: pieces=..., "
                    "cap=..., speed=..., servers=..., fuse, cycle=..."));
  EXPECT_THAT(refusal_of_spec("x(pieces)"), StrEq("x(n): pieces needs a value: pieces=..."));
  EXPECT_THAT(refusal_of_spec("x(fuse=1)"), StrEq("x(n): fuse stands alone, without a value"));
  try {
    const Arguments none("y", parse_spec("y(a)"), {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), StrEq("y takes no options, not 'a'"));
  }
}

TEST(Arguments, RefuseValuesThatAreNone) {
  const auto number = [](const Arguments& a) { static_cast<void>(a.number("pieces")); };
  EXPECT_THAT(refusal_of_spec("x(pieces=0)", number),
              HasSubstr("'0' is not a whole number above 0"));
  EXPECT_THAT(refusal_of_spec("x(pieces=1.5)", number), HasSubstr("not a whole number above 0"));
  EXPECT_THAT(refusal_of_spec("x(pieces=99999999999999999999)", number), HasSubstr("too large"));
  const auto bytes = [](const Arguments& a) { static_cast<void>(a.bytes("cap")); };
  EXPECT_THAT(refusal_of_spec("x(cap=0)", bytes), StrEq("x(n): cap=0 is nothing"));
  EXPECT_THAT(refusal_of_spec("x(cap=many)", bytes), HasSubstr("many"));
  const auto duration = [](const Arguments& a) { static_cast<void>(a.duration("cycle")); };
  EXPECT_THAT(refusal_of_spec("x(cycle=soon)", duration), HasSubstr("x(n): cycle=soon: "));
  const auto decimal = [](const Arguments& a) { static_cast<void>(a.decimal("speed", 0.5, 2)); };
  for (const char* spec : {"x(speed=0.4)", "x(speed=2.1)", "x(speed=nan)", "x(speed=1e0)"}) {
    EXPECT_THAT(refusal_of_spec(spec, decimal), HasSubstr("is not a decimal number from 0.5 to 2"))
        << spec;
  }
}

// Asking for what the row has not is a bug, not the user's mistake.
TEST(Arguments, AreAskedForByTheirRow) {
  EXPECT_THROW(static_cast<void>(read("x").number("cap")), InternalError);
  EXPECT_THROW(static_cast<void>(read("x").number("other")), InternalError);
}

TEST(OptionForms, AreHowHelpShowsThem) {
  EXPECT_EQ(forms_of(kOptions), "pieces=..., cap=..., speed=..., servers=..., fuse, cycle=...");
}

}  // namespace
}  // namespace gradwire::text
