#include "results/report/answer/sentence.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;

/// How wirings are named: not at all where all are the same, and by their kind where they grow.
enum class WiringName : std::uint8_t { none, kind, whole };

const record::StoredPoint& entrant(Runs runs, const Contest& contest, std::size_t place) {
  return runs[contest.run].points[contest.entrants[place]];
}

const record::Configuration& what_of(Runs runs, const Contest& contest, std::size_t place) {
  return entrant(runs, contest, place).row.configuration;
}

WiringName wiring_name(Runs runs, std::span<const Contest> contests) {
  std::set<std::string> wirings;
  std::set<std::size_t> hosts;
  for (const Contest& contest : contests) {
    for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
      wirings.insert(what_of(runs, contest, i).wiring);
      hosts.insert(what_of(runs, contest, i).ranks);
    }
  }
  if (wirings.size() == 1) return WiringName::none;
  return hosts.size() == 1 ? WiringName::whole : WiringName::kind;
}

std::string name_of(const record::Configuration& c, Question question, WiringName wiring) {
  if (question == Question::schedule) return c.schedule;
  std::string name = c.algorithm;
  if (wiring == WiringName::whole) name += " on " + c.wiring;
  if (wiring == WiringName::kind) name += " on " + c.wiring.substr(0, c.wiring.find('('));
  return question == Question::matrix ? name + " with " + c.schedule : name;
}

/// What all entrants of a contest have in common, for one sentence about it.
std::string job_words(Runs runs, const Contest& contest) {
  const record::Configuration& c = what_of(runs, contest, 0);
  std::string words = fmt::format("{} between {} hosts", gradients_words(c), c.ranks);
  const bool one_wiring = wiring_name(runs, {&contest, 1}) == WiringName::none;
  if (contest.question == Question::schedule) words += fmt::format(" with {}", c.algorithm);
  if (one_wiring) words += fmt::format(" on {}", c.wiring);
  if (contest.question == Question::place && c.schedule != "none") {
    words += fmt::format(", scheduled by {}", c.schedule);
  }
  return words;
}

std::string time_of(Runs runs, const Contest& contest, std::size_t place) {
  const record::StoredPoint& point = entrant(runs, contest, place);
  return time_words(Seconds(compared_times(contest, point).median)) + flags_words(point.row);
}

std::string against_words(const Lead& lead, const std::string& name, const std::string& time) {
  if (lead.surety == Surety::unclear && ratio_words(lead.ratio.ratio) == ratio_words(1)) {
    return fmt::format("{} takes as long, {}", name, time);
  }
  const bool in_doubt = lead.surety == Surety::unclear || lead.surety == Surety::spoiled;
  return fmt::format("{}{} takes {}, {} times as long ({})",
                     in_doubt ? "that is not clearly less than the next: " : "", name, time,
                     ratio_words(lead.ratio.ratio), surety_words(lead));
}

/// What the rows that were compared have flags of, contest by contest.
Marks marks_of(Runs runs, std::span<const Contest> contests) {
  Marks marks;
  for (const Contest& contest : contests) {
    const record::Row* const compared[] = {&entrant(runs, contest, 0).row,
                                           &entrant(runs, contest, 1).row};
    marks.add(compared);
  }
  return marks;
}

/// What one winner has won.
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
    const std::string name = name_of(what_of(runs, contest, 0), contest.question, wiring);
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

/// So many winners are named; the others are counted.
constexpr std::size_t kMostNamed = 3;

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

/// A matrix by itself: who is ahead of other places, and of other schedules at its own.
std::string matrix_words(Runs runs, const Contest& contest) {
  const record::Configuration& first = what_of(runs, contest, 0);
  const std::vector<std::string> names = entrant_names(runs, contest);
  std::string words = fmt::format("{}, {} has the shortest {} of {} between {} hosts, {}",
                                  backings_words({&first.backing, 1}), names[0],
                                  contest.by_iteration ? "iterations" : "synchronizations",
                                  gradients_words(first), first.ranks, time_of(runs, contest, 0));
  const auto add = [&](const char* where, const Rival& rival) {
    words += fmt::format(
        "; {} {}", where,
        against_words(rival.lead, names[rival.entrant], time_of(runs, contest, rival.entrant)));
  };
  if (contest.elsewhere) add("elsewhere", *contest.elsewhere);
  if (!contest.rescheduled.empty()) add("with another schedule", contest.rescheduled.front());
  return words;
}

/// "mg-wfbp or optimum": the schedules that are not clearly slower than the first, at its place.
std::string best_schedules(Runs runs, const Contest& contest) {
  std::vector<std::string> names{what_of(runs, contest, 0).schedule};
  for (const Rival& rival : contest.rescheduled) {
    if (!rival.lead.is_clear()) names.push_back(what_of(runs, contest, rival.entrant).schedule);
  }
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  return first.empty() ? names.back()
                       : fmt::format("{} or {}", fmt::join(first, ", "), names.back());
}

/// One of several matrices, for one sentence about all of them.
std::string item_words(Runs runs, const Contest& contest, WiringName wiring) {
  const record::Configuration& c = what_of(runs, contest, 0);
  std::string words = fmt::format("{} goes fastest by {} with {}, {}", gradients_words(c),
                                  name_of(c, Question::place, wiring),
                                  best_schedules(runs, contest), time_of(runs, contest, 0));
  if (!contest.elsewhere) return words;
  const Lead& lead = contest.elsewhere->lead;
  return words + fmt::format(" (elsewhere at least {} times as long{})",
                             ratio_words(lead.ratio.ratio), lead.is_clear() ? "" : ", not clearly");
}

}  // namespace

std::vector<std::string> entrant_names(Runs runs, const Contest& contest) {
  const WiringName wiring = wiring_name(runs, {&contest, 1});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
    names.push_back(name_of(what_of(runs, contest, i), contest.question, wiring));
  }
  return names;
}

std::string contest_words(Runs runs, const Contest& contest) {
  if (contest.question == Question::matrix) return matrix_words(runs, contest);
  const std::vector<std::string> names = entrant_names(runs, contest);
  const record::Backing backing = what_of(runs, contest, 0).backing;
  const char* verb = contest.by_iteration ? "has the shortest iterations of" : "synchronizes";
  return fmt::format("{}, {} {} {}{} {}; {}", backings_words({&backing, 1}), names[0], verb,
                     job_words(runs, contest), contest.by_iteration ? "," : " in the least time,",
                     time_of(runs, contest, 0),
                     against_words(contest.lead, names[1], time_of(runs, contest, 1)));
}

std::string tally_words(Runs runs, std::span<const Contest> contests) {
  const std::vector<Wins> wins = wins_of(runs, contests);
  std::vector<record::Backing> backings;
  for (const Contest& contest : contests) backings.push_back(what_of(runs, contest, 0).backing);
  const std::string how_many = wins.size() == 1
                                   ? fmt::format("all {}", contests.size())
                                   : fmt::format("{} of {}", wins.front().count, contests.size());
  const std::string words =
      fmt::format("{}, {} takes the least time in {} comparisons of {} ({}{}){}",
                  backings_words(backings), wins.front().name, how_many,
                  kind_words(contests.front().question, wiring_name(runs, contests)),
                  clear_words(wins.front()), factor_words(wins.front()), others_words(wins));
  return words + marks_words(marks_of(runs, contests),
                             {.one = "rests on", .many = "rest on", .what = " rows"});
}

std::string matrices_words(Runs runs, std::span<const Contest> contests) {
  if (contests.size() > kMostNamed) return tally_words(runs, contests);
  const WiringName wiring = wiring_name(runs, contests);
  std::vector<record::Backing> backings;
  std::vector<std::string> items;
  std::set<std::size_t> hosts;
  for (const Contest& contest : contests) {
    const record::Configuration& c = what_of(runs, contest, 0);
    backings.push_back(c.backing);
    hosts.insert(c.ranks);
    items.push_back(item_words(runs, contest, wiring));
  }
  const std::string between =
      hosts.size() == 1 ? fmt::format(" between {} hosts", *hosts.begin()) : "";
  return fmt::format("{}{}, {}", backings_words(backings), between, list_words(items)) +
         marks_words(marks_of(runs, contests),
                     {.one = "rests on", .many = "rest on", .what = " rows"});
}

}  // namespace gradwire::report
