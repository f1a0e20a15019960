#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/claims/claim.h"

/// The ledger with its findings, for people and for programs.
namespace gradwire::claims {

/// A claim with what was found.
struct Judged {
  const Claim* claim = nullptr;
  Finding finding;
};

/// All claims against these runs, in order.
[[nodiscard]] std::vector<Judged> judge_all(const Runs& runs);

/// A table whose cells are wrapped, a line for each verdict that counts it, and the rows that every
/// claim rests on.
[[nodiscard]] std::string format_table(std::span<const Judged> judged);

/// {"version": 2, "claims": [{"number": 1, "verdict": {"outcome": "reproduced", ...}, "fitted":
/// [...], "rests_on": [{"experiment": ..., "rows": [...]}], "compared": [...], ...}, ...]}.
[[nodiscard]] nlohmann::json to_json(std::span<const Judged> judged);

/// Whether some claim is contradicted by a number that nobody has explained.
[[nodiscard]] bool any_contradicted(std::span<const Judged> judged);

/// "reproduced", "close", "partly", "differs", "contradicted", "prediction", "identity", "input",
/// "impossible here", "not run".
[[nodiscard]] std::string_view to_string(Outcome outcome);
/// The outcome of this name; nothing where none has it.
[[nodiscard]] std::optional<Outcome> outcome_of(std::string_view name);

}  // namespace gradwire::claims
