#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/runs.h"

/// The papers' claims, and what became of each here.
namespace gradwire::reproduce {

enum class Outcome : std::uint8_t {
  reproduced,    ///< every number agrees (evidence.h)
  close,         ///< every number is within its tolerance, not all within what reproduced asks
  partly,        ///< what could be looked at agrees; the text says what could not
  differs,       ///< it does not hold here, and it is known why
  contradicted,  ///< a number is off, and nobody knows why
  not_here,      ///< needs what this project has not; the text says what
  not_run,       ///< some run that it needs is not there; the rest agrees
};

/// What is said of one claim.
struct Verdict {
  Outcome outcome = Outcome::reproduced;
  std::string text;  ///< as tables print it: "within 9 %", "partly: ..."
};

/// A claim's line of the table; a column that has nothing to say holds "-".
struct Finding {
  std::string published;
  std::string theory;     ///< closed forms, from this project's own code
  std::string simulated;  ///< from stored runs in virtual time
  std::string measured;   ///< from stored runs that sent bytes
  Verdict verdict;
};

/// A row of the ledger.
struct Claim {
  std::size_t number = 0;                        ///< 1..58
  std::string_view paper;                        ///< "BML"
  std::string_view where;                        ///< section, figure or table
  std::string_view what;                         ///< one line
  Finding (*judge)(const Runs& runs) = nullptr;  ///< null where nothing can be reproduced
};

/// All rows, in order of their numbers.
[[nodiscard]] std::span<const Claim> claims();

/// A claim's finding; of a claim without a judge, that there is nothing to reproduce.
[[nodiscard]] Finding judge(const Claim& claim, const Runs& runs);

}  // namespace gradwire::reproduce
