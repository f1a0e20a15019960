#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reproduce/claim.h"

/// Whether a claim notices evidence that is off by little more than it allows.
namespace gradwire::reproduce::testing {

/// The checks of a claim that do not flip its verdict to contradicted when their own evidence is
/// moved by 1.5 times what they allow; a count by one, a fact to its opposite. In columns of runs
/// one quantity of one stored row is moved: its synchronization time, its iteration time, or what is
/// counted of it. Sums are left right, but where the check is about them. What is refused, or shown
/// only beside a printed number, is not asked.
[[nodiscard]] std::vector<std::string> checks_that_do_not_flip(const Claim& claim,
                                                               const Runs& runs);

}  // namespace gradwire::reproduce::testing
