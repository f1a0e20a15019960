#include "results/report/answer/matrices.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "results/report/answer/entrants.h"
#include "results/report/answer/sentence.h"
#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;

/// The schedules that may be fastest: "mg-wfbp or optimum".
std::string best_schedules(Runs runs, const Contest& contest) {
  std::vector<std::string> names;
  for (const std::size_t place : fastest_here(contest)) {
    names.push_back(configuration_of(runs, contest, place).schedule);
  }
  return list_words(names, "or");
}

/// Result of the best entrant at another place, without its time.
struct Elsewhere {
  std::string equal;  ///< its name, where it takes about as long
  bool is_clear = false;

  bool operator==(const Elsewhere&) const = default;
};

Elsewhere elsewhere_of(Runs runs, const Contest& contest, WiringName wiring) {
  const auto& [entrant, lead] = *contest.elsewhere;
  Elsewhere elsewhere{.is_clear = lead.is_clear()};
  if (lead.is_tie()) {
    const record::Configuration& c = configuration_of(runs, contest, entrant);
    elsewhere.equal = name_of(c, Question::matrix, wiring);
  }
  return elsewhere;
}

/// Matrices of one clause: of the same gradients but for their batches, and with the same outcome.
struct Clause {
  std::string winner;
  Elsewhere elsewhere;
  std::vector<const Contest*> contests = {};  ///< at least one
};

bool differ_in_batches_alone(const record::Configuration& a, const record::Configuration& b) {
  using enum record::Field;
  return a.batch > 0 && b.batch > 0 && record::same_but_for({point, batch, schedule}, a, b);
}

std::vector<Clause> clauses_of(Runs runs, std::span<const Contest> contests) {
  const WiringName wiring = wiring_name(runs, contests);
  std::vector<Clause> clauses;
  for (const Contest& contest : contests) {
    const record::Configuration& first = configuration_of(runs, contest, 0);
    const std::string winner = fmt::format("{} with {}", name_of(first, Question::place, wiring),
                                           best_schedules(runs, contest));
    const Elsewhere elsewhere = elsewhere_of(runs, contest, wiring);
    const auto same = std::ranges::find_if(clauses, [&](const Clause& clause) {
      const Contest& other = *clause.contests.front();
      return clause.winner == winner && clause.elsewhere == elsewhere &&
             differ_in_batches_alone(first, configuration_of(runs, other, 0));
    });
    if (same != clauses.end()) {
      same->contests.push_back(&contest);
    } else {
      clauses.push_back({.winner = winner, .elsewhere = elsewhere, .contests = {&contest}});
    }
  }
  return clauses;
}

/// The gradients of a clause: "vgg19 (548 MiB) in batches of 16 and 32".
std::string gradients_of(Runs runs, const Clause& clause) {
  record::Configuration c = configuration_of(runs, *clause.contests.front(), 0);
  if (clause.contests.size() == 1) return gradients_words(c);
  std::vector<std::string> batches;
  for (const Contest* contest : clause.contests) {
    batches.push_back(std::to_string(configuration_of(runs, *contest, 0).batch));
  }
  c.batch = 0;
  return fmt::format("{} in batches of {}", gradients_words(c), list_words(batches));
}

std::string elsewhere_words(const Clause& clause) {
  const Elsewhere& elsewhere = clause.elsewhere;
  if (!elsewhere.equal.empty()) return elsewhere.equal + " takes about as long";
  const auto ratio = [](const Contest* contest) { return contest->elsewhere->lead.ratio.ratio; };
  const auto [least, most] = std::ranges::minmax(clause.contests, {}, ratio);
  return fmt::format("the best elsewhere takes {} times as long{}",
                     range_words(ratio(least), ratio(most)),
                     elsewhere.is_clear ? "" : ", not clearly");
}

std::string clause_words(Runs runs, const Clause& clause) {
  std::vector<std::string> times;
  for (const Contest* contest : clause.contests) times.push_back(time_of(runs, *contest, 0));
  return fmt::format("{} goes fastest by {}, in {} ({})", gradients_of(runs, clause), clause.winner,
                     list_words(times), elsewhere_words(clause));
}

/// Whether clauses can be told apart that name neither run nor backing nor number of hosts.
bool can_be_told_apart(Runs runs, std::span<const Contest> contests) {
  const Contest& first = contests.front();
  const record::Configuration& a = configuration_of(runs, first, 0);
  return std::ranges::all_of(contests, [&](const Contest& contest) {
    const record::Configuration& b = configuration_of(runs, contest, 0);
    return contest.run == first.run && a.backing == b.backing && a.ranks == b.ranks;
  });
}

}  // namespace

std::string matrices_words(Runs runs, std::span<const Contest> contests) {
  if (!can_be_told_apart(runs, contests)) return tally_words(runs, contests);
  const std::vector<Clause> clauses = clauses_of(runs, contests);
  if (clauses.size() > kMostNamed) return tally_words(runs, contests);
  std::vector<std::string> items;
  for (const Clause& clause : clauses) items.push_back(clause_words(runs, clause));
  return fmt::format("{} between {} hosts, {}{}", backings_of(runs, contests),
                     configuration_of(runs, contests.front(), 0).ranks, fmt::join(items, "; "),
                     marks_of(runs, contests, best_places));
}

}  // namespace gradwire::report
