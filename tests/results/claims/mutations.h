#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/claims/claim.h"

/// Whether a claim notices evidence that is off by little more than it allows.
namespace gradwire::claims::testing {

/// The checks of a claim's columns of runs that do not flip its verdict to contradicted when the
/// claim is judged again on runs of which one quantity of one stored row is moved by 1.5 times what
/// they allow; a count by one. That is its synchronization time, its iteration time, or what is
/// counted of it. Sums are left right, but where the check is about them. What is refused, or shown
/// only beside a printed number, is not asked.
[[nodiscard]] std::vector<std::string> checks_that_do_not_flip(const Claim& claim,
                                                               const Runs& runs);

/// The checks of a claim's theory whose own failing would leave its verdict uncontradicted: the
/// check's value is moved in the finished finding, and the verdict drawn again. It shows that no
/// statement of the claim hides a failing check, and nothing of where the value comes from
/// (printed_numbers.h).
[[nodiscard]] std::vector<std::string> theory_checks_without_weight(const Claim& claim,
                                                                    const Runs& runs);

}  // namespace gradwire::claims::testing
