#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/yaml_document.h"
#include "results/claims/check.h"
#include "results/claims/runs.h"
#include "results/record/configuration.h"

/// The papers' claims, and what became of each here.
namespace gradwire::claims {

enum class Outcome : std::uint8_t {
  reproduced,    ///< every published number agrees, as closely as its column asks (check.h)
  close,         ///< every published number is within its tolerance, not all as closely
  partly,        ///< holds for what could be looked at; the text says what could not
  differs,       ///< a published number is another here; the text says the most likely cause
  contradicted,  ///< a number is off, and nobody knows why
  prediction,    ///< the paper prints no value: ours stands alone
  identity,      ///< true by definition, or by arithmetic on what is printed
  input,         ///< taken from the paper: what runs are given, not what comes out
  impossible,    ///< needs what this project has not; the text says what
  not_run,       ///< a run that it needs is not there; the text says what the rest gives
};

/// Statement about one claim.
struct Verdict {
  Outcome outcome = Outcome::reproduced;
  std::string text;  ///< text for tables: "within 9 %", "partly, off by up to 3 %: ..."
};

/// A row that a claim rests on.
struct UsedRow {
  std::string key;   ///< key of its point
  std::string name;  ///< "ring on single-switch(9)"
  std::vector<std::string> flags;
  friend bool operator==(const UsedRow&, const UsedRow&) = default;
};

/// The rows of one run, on one backing, that a claim rests on.
struct Source {
  std::string experiment;
  record::Backing backing = record::Backing::simulated;
  std::vector<UsedRow> rows;
  bool is_refused = false;  ///< some row has a flag that spoils its times (results/record/flags.h)
};

/// A claim's line of the table; a column that has nothing to say holds "-".
struct Finding {
  std::string published;
  std::string theory;     ///< closed forms, from this project's own code
  std::string simulated;  ///< numbers from stored runs in virtual time
  std::string measured;   ///< numbers from stored runs that sent bytes
  std::vector<Check> checks;
  std::vector<Source> sources;
  std::vector<std::string> fitted;   ///< free parameters: what was fitted, or assumed
  std::vector<std::string> missing;  ///< runs and rows that it needs
  std::optional<Verdict> stated;  ///< verdict that the claim states, and why; judged (verdict.cc)
  Verdict verdict;
};

/// The verdict that follows from a finding's checks and from what it says of itself, and nothing
/// else. Contradicted where a check fails, or where the claim is said to differ and no published
/// number does. Without a published statement that was checked, at best a prediction. The text
/// gives the largest deviation from what is printed, what was refused or carries flags, and what
/// was fitted.
[[nodiscard]] Verdict verdict_of(const Finding& finding);

/// "2 rows of mg-wfbp (emulated), flagged burst".
[[nodiscard]] std::string describe(const Source& source);

/// A row of the ledger.
struct Claim {
  std::size_t number = 0;  ///< 1..58
  std::string paper;       ///< "BML"
  std::string where;       ///< section, figure or table
  std::string what;        ///< one line
  std::shared_ptr<const text::YamlDocument> ledger;
  const text::YamlNode* entry = nullptr;  ///< its entry there
};

/// All rows of claims.yaml, in its order, as the file was when this was built.
[[nodiscard]] std::span<const Claim> claims();

/// The claims of a ledger's text, which messages call `file`. Throws InputError with the place of
/// what is none.
[[nodiscard]] std::vector<Claim> parse_claims(std::string_view text, std::string file);

/// A claim's finding on these runs. Throws InputError with the place in the ledger of what cannot be
/// judged.
[[nodiscard]] Finding judge(const Claim& claim, const Runs& runs);

}  // namespace gradwire::claims
