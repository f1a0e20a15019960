#include "results/report/answer/matrices.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/report/answer/entrants.h"
#include "results/report/answer/sentence.h"
#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;

/// Whether another row is named beside the first, as samples do not tell which is faster. Where one
/// has a single sample or is spoiled, only ties are.
bool may_be_equal(const Lead& lead) {
  return lead.is_tie() || lead.surety == Surety::unclear;
}

/// "mg-wfbp or optimum": the schedules that may be as fast as the first, at its place.
std::string best_schedules(Runs runs, const Contest& contest) {
  std::vector<std::string> names{configuration_of(runs, contest, 0).schedule};
  for (const Rival& rival : contest.rescheduled) {
    if (!may_be_equal(rival.lead)) continue;
    names.push_back(configuration_of(runs, contest, rival.entrant).schedule);
  }
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  return first.empty() ? names.back()
                       : fmt::format("{} or {}", fmt::join(first, ", "), names.back());
}

/// How the best at another place does, but for its time.
struct Elsewhere {
  std::string equal;  ///< its name, where it takes as long
  bool is_clear = false;

  bool operator==(const Elsewhere&) const = default;
};

/// What matrices that one clause tells have in common.
struct Common {
  std::size_t run = 0;
  record::Configuration job;  ///< the first's, without a batch
  std::string winner;
  std::optional<Elsewhere> elsewhere;  ///< absent: there is no other place

  bool operator==(const Common& other) const {
    return run == other.run && job.backing == other.job.backing && job.ranks == other.job.ranks &&
           gradients_words(job) == gradients_words(other.job) && winner == other.winner &&
           elsewhere == other.elsewhere;
  }
};

struct Clause {
  Common common;
  std::vector<const Contest*> contests = {};  ///< at least one; their batches differ
};

Common common_of(Runs runs, const Contest& contest, WiringName wiring) {
  Common common{.run = contest.run, .job = configuration_of(runs, contest, 0)};
  common.job.batch = 0;
  common.winner = fmt::format("{} with {}", name_of(common.job, Question::place, wiring),
                              best_schedules(runs, contest));
  if (!contest.elsewhere) return common;
  const auto& [entrant, lead] = *contest.elsewhere;
  common.elsewhere = Elsewhere{.is_clear = lead.is_clear()};
  if (lead.is_tie()) {
    common.elsewhere->equal =
        name_of(configuration_of(runs, contest, entrant), Question::place, wiring);
  }
  return common;
}

std::vector<Clause> clauses_of(Runs runs, std::span<const Contest> contests) {
  const WiringName wiring = wiring_name(runs, contests);
  std::vector<Clause> clauses;
  for (const Contest& contest : contests) {
    Common common = common_of(runs, contest, wiring);
    auto clause = std::ranges::find(clauses, common, &Clause::common);
    if (clause == clauses.end()) clause = clauses.insert(clause, {.common = std::move(common)});
    clause->contests.push_back(&contest);
  }
  return clauses;
}

/// "vgg19 (548 MiB) in batches of 16 and 32".
std::string gradients_of(Runs runs, const Clause& clause) {
  if (clause.contests.size() == 1) {
    return gradients_words(configuration_of(runs, *clause.contests.front(), 0));
  }
  std::vector<std::string> batches;
  for (const Contest* contest : clause.contests) {
    batches.push_back(std::to_string(configuration_of(runs, *contest, 0).batch));
  }
  return fmt::format("{} in batches of {}", gradients_words(clause.common.job),
                     list_words(batches));
}

std::string elsewhere_words(const Clause& clause) {
  const std::optional<Elsewhere>& elsewhere = clause.common.elsewhere;
  if (!elsewhere) return "";
  if (!elsewhere->equal.empty()) return fmt::format(" ({} takes as long)", elsewhere->equal);
  const auto ratio = [](const Contest* contest) { return contest->elsewhere->lead.ratio.ratio; };
  const auto [least, most] = std::ranges::minmax(clause.contests, {}, ratio);
  return fmt::format(" (elsewhere at least {} times as long{})",
                     range_words(ratio(least), ratio(most)),
                     elsewhere->is_clear ? "" : ", not clearly");
}

std::string clause_words(Runs runs, const Clause& clause) {
  std::vector<std::string> times;
  for (const Contest* contest : clause.contests) times.push_back(time_of(runs, *contest, 0));
  return fmt::format("{} goes fastest by {}, {}{}", gradients_of(runs, clause),
                     clause.common.winner, list_words(times), elsewhere_words(clause));
}

}  // namespace

std::string matrices_words(Runs runs, std::span<const Contest> contests) {
  const std::vector<Clause> clauses = clauses_of(runs, contests);
  if (clauses.size() > kMostNamed) return tally_words(runs, contests);
  std::vector<std::string> items;
  for (const Clause& clause : clauses) items.push_back(clause_words(runs, clause));
  std::set<std::size_t> hosts;
  for (const Contest& contest : contests) hosts.insert(configuration_of(runs, contest, 0).ranks);
  const std::string between =
      hosts.size() == 1 ? fmt::format(" between {} hosts", *hosts.begin()) : "";
  return fmt::format("{}{}, {}{}", backings_of(runs, contests), between, list_words(items),
                     marks_of(runs, contests));
}

}  // namespace gradwire::report
