#pragma once

#include <string>
#include <vector>

#include "results/claims/claim.h"

/// Whether a claim's theory hangs on what the papers print.
namespace gradwire::claims::testing {

/// The judged checks of a claim's theory that are held against the paper and hang on no printed
/// number. A check hangs on one if the claim, judged again with that number moved until the check is
/// off by 1.5 times what it allows (a count is another one, a fact untrue, an order the other way
/// round), is contradicted by this check. Runs are left out.
[[nodiscard]] std::vector<std::string> checks_that_hang_on_no_printed_number(const Claim& claim);

}  // namespace gradwire::claims::testing
