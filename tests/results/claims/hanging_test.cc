#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "results/claims/claim.h"
#include "tests/results/claims/printed_numbers.h"

namespace gradwire::claims {
namespace {

using testing::checks_that_hang_on_no_printed_number;

constexpr const char* kFormula =
    "a printed formula, typed in: no number is printed, and N and the like stand on both sides";
constexpr const char* kOrder = "an order of times that are computed here: no number is printed";
constexpr const char* kFact = "a fact that the paper states in words or in a table";

/// Claims of which some check of theory hangs on no printed number, and why that check does not.
const std::map<std::size_t, const char*> kWithoutNumber{
    {1, kFormula},  {2, kFormula},  {3, kFormula},  {4, kFormula},  {5, kFormula},  {6, kFormula},
    {7, kFact},     {8, kFact},     {9, kFormula},  {11, kFormula}, {13, kFact},    {17, kOrder},
    {18, kOrder},   {19, kFormula}, {20, kFormula}, {21, kFormula}, {22, kFormula}, {23, kFormula},
    {26, kFact},    {27, kFact},    {35, kOrder},   {36, kOrder},   {37, kOrder},   {40, kOrder},
    {41, kFact},    {42, kOrder},   {45, kFormula}, {47, kOrder},   {51, kFact},    {54, kFact},
    {55, kFormula}, {58, kFormula}};

// The other claims with theory, 14, 24, 25, 32 and so on, hang on printed numbers with every check.
TEST(Theory, HangsOnPrintedNumbersWhereThereAreSome) {
  for (const Claim& claim : claims()) {
    const std::vector<std::string> silent = checks_that_hang_on_no_printed_number(claim);
    const bool is_listed = kWithoutNumber.contains(claim.number);
    EXPECT_EQ(silent.empty(), !is_listed)
        << claim.number << ": " << (silent.empty() ? "all checks hang on one" : silent.front());
  }
}

}  // namespace
}  // namespace gradwire::claims
