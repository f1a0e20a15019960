#include "results/report/answer/entrants.h"

#include <set>

#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

using Runs = std::span<const record::StoredRun>;

const record::StoredPoint& entrant(Runs runs, const Contest& contest, std::size_t place) {
  return runs[contest.run].points[contest.entrants[place]];
}

}  // namespace

const record::Configuration& configuration_of(Runs runs, const Contest& contest,
                                              std::size_t place) {
  return entrant(runs, contest, place).row.configuration;
}

WiringName wiring_name(Runs runs, std::span<const Contest> contests) {
  std::set<std::string> wirings;
  std::set<std::size_t> hosts;
  for (const Contest& contest : contests) {
    for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
      wirings.insert(configuration_of(runs, contest, i).wiring);
      hosts.insert(configuration_of(runs, contest, i).ranks);
    }
  }
  if (wirings.size() == 1) return WiringName::none;
  return hosts.size() == 1 ? WiringName::whole : WiringName::kind;
}

std::string name_of(const record::Configuration& configuration, Question question,
                    WiringName wiring) {
  const record::Configuration& c = configuration;
  if (question == Question::schedule) return c.schedule;
  std::string name = c.algorithm;
  if (wiring == WiringName::whole) name += " on " + c.wiring;
  if (wiring == WiringName::kind) name += " on " + c.wiring.substr(0, c.wiring.find('('));
  return question == Question::matrix ? name + " with " + c.schedule : name;
}

std::vector<std::string> entrant_names(Runs runs, const Contest& contest) {
  const WiringName wiring = wiring_name(runs, {&contest, 1});
  std::vector<std::string> names;
  for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
    names.push_back(name_of(configuration_of(runs, contest, i), contest.question, wiring));
  }
  return names;
}

std::string time_of(Runs runs, const Contest& contest, std::size_t place) {
  return time_words(Seconds(compared_times(contest, entrant(runs, contest, place)).median));
}

std::string flagged_time(Runs runs, const Contest& contest, std::size_t place) {
  return time_of(runs, contest, place) + flags_words(entrant(runs, contest, place).row);
}

std::string backings_of(Runs runs, std::span<const Contest> contests) {
  std::vector<record::Backing> backings;
  for (const Contest& contest : contests) {
    backings.push_back(configuration_of(runs, contest, 0).backing);
  }
  return backings_words(backings);
}

std::vector<std::size_t> first_two(const Contest& /*contest*/) {
  return {0, 1};
}

std::vector<std::size_t> fastest_here(const Contest& contest) {
  std::vector<std::size_t> places{0};
  for (const Rival& rival : contest.rescheduled) {
    if (rival.lead.may_be_equal()) places.push_back(rival.entrant);
  }
  return places;
}

std::vector<std::size_t> best_places(const Contest& contest) {
  std::vector<std::size_t> places = fastest_here(contest);
  if (contest.elsewhere) places.push_back(contest.elsewhere->entrant);
  return places;
}

std::string marks_of(Runs runs, std::span<const Contest> contests, Places places) {
  Marks marks;
  for (const Contest& contest : contests) {
    std::vector<const record::Row*> rows;
    for (const std::size_t place : places(contest)) {
      rows.push_back(&entrant(runs, contest, place).row);
    }
    marks.add(rows);
  }
  return marks_words(marks, {.one = "rests on", .many = "rest on", .what = " rows"});
}

}  // namespace gradwire::report
