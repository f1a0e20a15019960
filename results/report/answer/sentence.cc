#include "results/report/answer/sentence.h"

#include <algorithm>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "results/report/answer/entrants.h"
#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;

/// The common part of all entrants of a contest, for one sentence about it.
std::string job_words(Runs runs, const Contest& contest) {
  const record::Configuration& c = configuration_of(runs, contest, 0);
  std::string words = fmt::format("{} between {} hosts", gradients_words(c), c.ranks);
  const bool one_wiring = wiring_name(runs, {&contest, 1}) == WiringName::none;
  if (contest.question == Question::schedule) words += fmt::format(" with {}", c.algorithm);
  if (one_wiring) words += fmt::format(" on {}", c.wiring);
  if (contest.question == Question::place && c.schedule != "none") {
    words += fmt::format(", scheduled by {}", c.schedule);
  }
  return words;
}

/// The clause about another entrant: "ring takes 4 ms, 2 times as long (...)".
std::string against_words(const Lead& lead, const std::string& name, const std::string& time) {
  const std::string ratio = ratio_words(lead.ratio.ratio);
  if (!lead.is_tie()) {
    return fmt::format("{} takes {}, {} times as long ({})", name, time, ratio, surety_words(lead));
  }
  if (ratio == ratio_words(1)) return fmt::format("{} takes as long, {}", name, time);
  return fmt::format("{} takes about as long, {} ({})", name, time, surety_words(lead));
}

bool is_in_doubt(const Lead& lead) {
  return !lead.is_tie() && (lead.surety == Surety::unclear || lead.surety == Surety::spoiled);
}

/// Wins of one winner.
struct Wins {
  std::string name;
  std::size_t count = 0;
  std::size_t clear = 0;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
};

std::vector<Wins> wins_of(Runs runs, std::span<const Contest> contests) {
  const WiringName wiring = wiring_name(runs, contests);
  std::vector<Wins> all;
  for (const Contest& contest : contests) {
    const std::string name = name_of(configuration_of(runs, contest, 0), contest.question, wiring);
    auto wins = std::ranges::find(all, name, &Wins::name);
    if (wins == all.end()) wins = all.insert(all.end(), Wins{.name = name});
    ++wins->count;
    if (!contest.lead.is_clear()) continue;
    ++wins->clear;
    wins->least = std::min(wins->least, contest.lead.ratio.ratio);
    wins->most = std::max(wins->most, contest.lead.ratio.ratio);
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &Wins::count);
  return all;
}

std::string clear_words(const Wins& wins) {
  if (wins.clear == 0) return "not clearly";
  return wins.clear == wins.count ? "clearly" : fmt::format("clearly in {}", wins.clear);
}

std::string factor_words(const Wins& wins) {
  if (wins.clear == 0) return "";
  return fmt::format(": the next takes {} times as long", range_words(wins.least, wins.most));
}

std::string others_words(const std::vector<Wins>& wins) {
  std::vector<std::string> items;
  for (std::size_t i = 1; i < std::min(wins.size(), kMostNamed); ++i) {
    items.push_back(
        fmt::format("{} in {} ({})", wins[i].name, wins[i].count, clear_words(wins[i])));
  }
  std::size_t unnamed = 0;
  for (std::size_t i = kMostNamed; i < wins.size(); ++i) unnamed += wins[i].count;
  if (unnamed > 0) items.push_back(fmt::format("others in {}", unnamed));
  return items.empty() ? "" : ", " + list_words(items);
}

std::string kind_words(Question question, WiringName wiring) {
  if (question == Question::schedule) return "schedules";
  const std::string places = wiring == WiringName::none ? "algorithms" : "algorithms, wirings";
  if (question == Question::matrix) return places + " and schedules";
  return wiring == WiringName::none ? places : "algorithms and wirings";
}

/// The clause of one matrix: its leads over other places, and over other schedules at its own.
std::string matrix_words(Runs runs, const Contest& contest) {
  const record::Configuration& first = configuration_of(runs, contest, 0);
  const std::vector<std::string> names = entrant_names(runs, contest);
  std::string words = fmt::format(
      "{}, {} has the shortest {} of {} between {} hosts, {}", backings_words({&first.backing, 1}),
      names[0], contest.by_iteration ? "iterations" : "synchronizations", gradients_words(first),
      first.ranks, flagged_time(runs, contest, 0));
  const auto add = [&](const char* where, const Rival& rival) {
    const std::string time = flagged_time(runs, contest, rival.entrant);
    words += fmt::format("; {} {}{}", where, against_words(rival.lead, names[rival.entrant], time),
                         is_in_doubt(rival.lead) ? ", which is not clearly more" : "");
  };
  if (contest.elsewhere) add("elsewhere", *contest.elsewhere);
  if (!contest.rescheduled.empty()) add("with another schedule", contest.rescheduled.front());
  return words;
}

}  // namespace

std::string contest_words(Runs runs, const Contest& contest) {
  if (contest.question == Question::matrix) return matrix_words(runs, contest);
  const std::vector<std::string> names = entrant_names(runs, contest);
  const record::Backing backing = configuration_of(runs, contest, 0).backing;
  const char* verb = contest.by_iteration ? "has the shortest iterations of" : "synchronizes";
  return fmt::format("{}, {} {} {}{} {}; {}{}", backings_words({&backing, 1}), names[0], verb,
                     job_words(runs, contest), contest.by_iteration ? "," : " in the least time,",
                     flagged_time(runs, contest, 0),
                     is_in_doubt(contest.lead) ? "that is not clearly less than the next: " : "",
                     against_words(contest.lead, names[1], flagged_time(runs, contest, 1)));
}

std::string tally_words(Runs runs, std::span<const Contest> contests) {
  const std::vector<Wins> wins = wins_of(runs, contests);
  const std::string how_many = wins.size() == 1
                                   ? fmt::format("all {}", contests.size())
                                   : fmt::format("{} of {}", wins.front().count, contests.size());
  return fmt::format("{}, {} takes the least time in {} comparisons of {} ({}{}){}{}",
                     backings_of(runs, contests), wins.front().name, how_many,
                     kind_words(contests.front().question, wiring_name(runs, contests)),
                     clear_words(wins.front()), factor_words(wins.front()), others_words(wins),
                     marks_of(runs, contests, first_two));
}

}  // namespace gradwire::report
