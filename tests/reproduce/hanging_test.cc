#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reproduce/claim.h"
#include "tests/reproduce/printed_numbers.h"

namespace gradwire::reproduce {
namespace {

using testing::checks_that_hang_on_no_printed_number;

constexpr const char* kFormula =
    "a printed formula, typed in: no number is printed, and N and the like stand on both sides";

/// Claims of which some check of theory hangs on no printed number, and why.
const std::map<std::size_t, const char*> kWithoutNumber{
    {1, kFormula},
};

TEST(Theory, HangsOnPrintedNumbersWhereThereAreSome) {
  for (const Claim& claim : claims()) {
    const std::vector<std::string> silent = checks_that_hang_on_no_printed_number(claim);
    const bool is_listed = kWithoutNumber.contains(claim.number);
    EXPECT_EQ(silent.empty(), !is_listed)
        << claim.number << ": " << (silent.empty() ? "all checks hang on one" : silent.front());
  }
}

}  // namespace
}  // namespace gradwire::reproduce
