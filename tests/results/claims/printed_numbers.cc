#include "tests/results/claims/printed_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "results/claims/printed.h"

namespace gradwire::claims::testing {
namespace {

constexpr double kTimes = 1.5;
/// Of what allows nothing at all.
constexpr double kLeast = 1e-5;
/// What a number is moved by to see which checks hear of it, a share.
constexpr double kProbe = 0.05;
/// A number is moved by so many times as much at most: what depends on its root hears less of it.
constexpr double kMostTimes = 256;

/// A printed number that a claim asks for.
struct Asked {
  std::string id;
  std::size_t index = 0;
  double printed = 0;
  friend bool operator==(const Asked&, const Asked&) = default;
};

std::vector<Asked> asked_by(const Claim& claim) {
  std::vector<Asked> all;
  const NumbersInstead note([&](std::string_view id, std::size_t index, double printed) {
    const Asked asked{.id = std::string(id), .index = index, .printed = printed};
    if (std::ranges::find(all, asked) == all.end()) all.push_back(asked);
    return printed;
  });
  (void)judge(claim, Runs());
  return all;
}

/// The finding if the paper printed that number larger by a share, or as many times smaller.
Finding judge_moved(const Claim& claim, const Asked& asked, double share, bool is_larger) {
  const double factor = is_larger ? 1 + share : 1 / (1 + share);
  const double moved = asked.printed == 0 ? factor - 1 : asked.printed * factor;
  const NumbersInstead move([&](std::string_view id, std::size_t index, double printed) {
    return id == asked.id && index == asked.index ? moved : printed;
  });
  return judge(claim, Runs());
}

double least_move(const Check& check) {
  return check.relation == Relation::near ? std::max(kTimes * check.tolerance, kLeast) : kLeast;
}

/// Whether the check is as far from where it was as it should be to fail.
bool is_moved(const Check& was, const Check& is) {
  switch (was.relation) {
    case Relation::near:
      return std::abs(is.deviation() - was.deviation()) >= least_move(was);
    case Relation::count:
      return is.value != was.value || is.expected.value != was.expected.value;
    case Relation::less:
      return !(is.value < is.expected.value);
    case Relation::holds:
      return is.value != was.value;
  }
  return false;
}

bool flips(const Claim& claim, const Finding& right, std::size_t index, const Asked& asked) {
  const double least = least_move(right.checks[index]);
  for (const bool is_larger : {true, false}) {
    for (double share = least; share <= kMostTimes * std::max(least, kProbe); share *= 2) {
      const Finding finding = judge_moved(claim, asked, share, is_larger);
      const Check& check = finding.checks.at(index);
      if (!is_moved(right.checks[index], check)) continue;
      if (check.fails() && finding.verdict.outcome == Outcome::contradicted) return true;
      break;
    }
  }
  return false;
}

/// By check: the numbers that it hears of.
std::vector<std::vector<Asked>> heard_by_checks(const Claim& claim, const Finding& right) {
  std::vector<std::vector<Asked>> heard(right.checks.size());
  for (const Asked& asked : asked_by(claim)) {
    const Finding finding = judge_moved(claim, asked, kProbe, true);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      const Check& check = finding.checks.at(i);
      const bool same = check.value == right.checks[i].value &&
                        check.expected.value == right.checks[i].expected.value;
      if (!same) heard[i].push_back(asked);
    }
  }
  return heard;
}

}  // namespace

std::vector<std::string> checks_that_hang_on_no_printed_number(const Claim& claim) {
  const Finding right = judge(claim, Runs());
  const auto heard = heard_by_checks(claim, right);
  std::vector<std::string> silent;
  for (std::size_t i = 0; i < right.checks.size(); ++i) {
    const Check& check = right.checks[i];
    if (check.column != Column::theory || !check.is_judged || !check.expected.is_published)
      continue;
    const bool hangs = std::ranges::any_of(
        heard[i], [&](const Asked& asked) { return flips(claim, right, i, asked); });
    if (!hangs) silent.push_back(fmt::format("claim {}: {}", claim.number, check.name));
  }
  return silent;
}

}  // namespace gradwire::claims::testing
