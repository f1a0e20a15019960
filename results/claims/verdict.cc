#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "results/claims/claim.h"
#include "results/record/flags.h"

namespace gradwire::claims {
namespace {

/// A share in percent, with a digit after the point where it is small.
std::string percent(double share) {
  return fmt::format("{:.{}f} %", 100 * share, share < 0.995 ? 1 : 0);
}

/// The largest deviation from published numbers, or from this project's own.
struct Spread {
  double largest = 0;
  bool any = false;
  bool is_reproduced = true;  ///< each within what its column asks
};

Spread spread_of(const Finding& finding, bool is_published) {
  Spread spread;
  for (const Check& check : finding.checks) {
    if (!check.is_compared() || check.expected.is_published != is_published) continue;
    const double off = std::abs(check.deviation());
    spread.any = true;
    spread.largest = std::max(spread.largest, off);
    if (off > check.reproduced_within()) spread.is_reproduced = false;
  }
  return spread;
}

/// Whether something that the paper says was looked at: a number, an order or a fact.
bool checks_the_paper(const Finding& finding, bool is_refused) {
  return std::ranges::any_of(finding.checks, [&](const Check& check) {
    return check.is_judged && check.is_refused == is_refused && check.expected.is_published;
  });
}

std::string beginning(Outcome outcome) {
  switch (outcome) {
    case Outcome::partly:
      return "partly";
    case Outcome::differs:
      return "differs";
    case Outcome::prediction:
      return "prediction";
    case Outcome::identity:
      return "identity";
    case Outcome::input:
      return "input";
    case Outcome::impossible:
      return "impossible here";
    default:
      throw_bug("a claim says only that it is less than reproduced");
  }
}

/// Text of how far our own numbers are apart; empty where fewer than two were found.
std::string agreement(std::string_view before, const Finding& finding) {
  const Spread own = spread_of(finding, false);
  return own.any ? fmt::format("{}ours agree within {}", before, percent(own.largest)) : "";
}

/// The claim's own verdict, with the largest deviation from what is printed.
Verdict stated(const Finding& finding) {
  const Verdict& said = *finding.stated;
  const Spread spread = spread_of(finding, true);
  std::string text = beginning(said.outcome);
  if (said.outcome == Outcome::differs) {
    const bool may_come = !spread.any && !finding.missing.empty();
    if (spread.is_reproduced && !may_come) {
      return {Outcome::contradicted, "CONTRADICTED: differs no longer"};
    }
    if (spread.any) text += fmt::format(" by up to {}", percent(spread.largest));
  } else if (said.outcome == Outcome::prediction) {
    text += agreement(", ", finding);
  } else if (spread.any) {
    text += fmt::format(", off by up to {}", percent(spread.largest));
  }
  return {said.outcome, fmt::format("{}: {}", text, said.text)};
}

Verdict prediction(const Finding& finding) {
  return {Outcome::prediction, "prediction: the paper prints no value" + agreement("; ", finding)};
}

Verdict at_best(const Finding& finding) {
  if (finding.stated) return stated(finding);
  if (!checks_the_paper(finding, false)) {
    if (!checks_the_paper(finding, true)) return prediction(finding);
    return {Outcome::not_run, "not run on rows whose times can be used"};
  }
  const Spread spread = spread_of(finding, true);
  if (!spread.any) return {Outcome::reproduced, "reproduced, as stated: no value is printed"};
  if (!spread.is_reproduced) return {Outcome::close, "within " + percent(spread.largest)};
  return {Outcome::reproduced, fmt::format("reproduced, off by up to {}", percent(spread.largest))};
}

/// Whether a run that is missing leaves the verdict open. What differs already, and what no run
/// decides, stays what it is.
bool waits_for_runs(Outcome outcome) {
  return outcome != Outcome::differs && outcome != Outcome::identity && outcome != Outcome::input &&
         outcome != Outcome::impossible;
}

std::set<std::string> flags_of(const Source& source) {
  std::set<std::string> flags;
  for (const UsedRow& row : source.rows) flags.insert(row.flags.begin(), row.flags.end());
  return flags;
}

/// Remarks to be known beside the outcome.
std::string remarks(const Finding& finding) {
  std::string text;
  for (const Source& source : finding.sources) {
    if (source.is_refused) text += "; times refused: " + describe(source);
  }
  for (const Source& source : finding.sources) {
    if (!source.is_refused && !flags_of(source).empty()) text += "; rests on " + describe(source);
  }
  if (!finding.fitted.empty()) {
    text += fmt::format("; free: {}", fmt::join(finding.fitted, ", "));
  }
  return text;
}

}  // namespace

std::string describe(const Source& source) {
  const std::set<std::string> flags = flags_of(source);
  std::string text =
      fmt::format("{} {} of {} ({})", source.rows.size(), source.rows.size() == 1 ? "row" : "rows",
                  source.experiment, to_string(source.backing));
  if (!flags.empty()) text += fmt::format(", flagged {}", fmt::join(flags, ", "));
  return text;
}

Verdict verdict_of(const Finding& finding) {
  for (const Check& check : finding.checks) {
    if (check.fails()) return {Outcome::contradicted, "CONTRADICTED: " + check.complaint()};
  }
  Verdict verdict = at_best(finding);
  if (verdict.outcome == Outcome::contradicted) return verdict;
  if (!finding.missing.empty()) {
    const std::string missing = fmt::format("{}", fmt::join(finding.missing, ", "));
    if (waits_for_runs(verdict.outcome)) {
      verdict = {Outcome::not_run, fmt::format("not run: {}; so far: {}", missing, verdict.text)};
    } else {
      verdict.text += "; not run: " + missing;
    }
  }
  verdict.text += remarks(finding);
  return verdict;
}

}  // namespace gradwire::claims
