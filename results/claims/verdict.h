#pragma once

#include <string>

#include "results/claims/claim.h"

namespace gradwire::claims {

/// The verdict that follows from a finding's checks and from what it says of itself, and nothing
/// else. Contradicted where a check fails, or where the claim is said to differ and no published
/// number does. Without a published statement that was checked, at best a prediction. The text
/// gives the largest deviation from what is printed, what was refused or carries flags, and what
/// was fitted.
[[nodiscard]] Verdict verdict_of(const Finding& finding);

/// "2 rows of mg-wfbp (emulated), flagged burst".
[[nodiscard]] std::string describe(const Source& source);

}  // namespace gradwire::claims
