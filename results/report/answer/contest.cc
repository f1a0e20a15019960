#include "results/report/answer/contest.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/name_table.h"
#include "results/record/flags.h"
#include "results/record/point_json.h"

namespace gradwire::report {
namespace {

constexpr NameTable<Question, 2> kQuestions({{"place", Question::place},
                                             {"schedule", Question::schedule}});

/// The fields of a configuration's JSON that answer the question. An algorithm brings its wiring,
/// and that its ports.
std::vector<const char*> asked_for(Question question) {
  if (question == Question::schedule) return {"schedule"};
  return {"algorithm", "wiring", "k"};
}

/// The configuration without what answers the question, and what does.
std::pair<std::string, std::string> split(Question question, const record::Configuration& c) {
  nlohmann::json same = to_json(c);
  nlohmann::json asked = nlohmann::json::array();
  same.erase("point");
  for (const char* field : asked_for(question)) {
    asked.push_back(same.at(field));
    same.erase(field);
  }
  return {same.dump(), asked.dump()};
}

bool is_simulated(const record::StoredPoint& point) {
  return point.row.configuration.backing == record::Backing::simulated;
}

bool is_spoiled(const record::Row& row) {
  return std::ranges::any_of(record::row_flags(row), record::spoils);
}

/// Orders the entrants and drops those that have the name of a faster one.
void sort_entrants(Contest& contest, const record::StoredRun& run) {
  std::ranges::stable_sort(contest.entrants, {}, [&](std::size_t place) {
    return compared_times(contest, run.points[place]).median;
  });
  std::set<std::string> names;
  std::erase_if(contest.entrants, [&](std::size_t place) {
    const auto name = split(contest.question, run.points[place].row.configuration).second;
    return !names.insert(name).second;
  });
}

void judge(Contest& contest, const record::StoredRun& run) {
  const record::StoredPoint& first = run.points[contest.entrants[0]];
  const record::StoredPoint& second = run.points[contest.entrants[1]];
  contest.lead = contest.by_iteration
                     ? lead_of(first.iterations, second.iterations, is_simulated(first))
                     : lead_of(first.gst, second.gst, is_simulated(first));
  if (is_spoiled(first.row) || is_spoiled(second.row)) contest.lead.surety = Surety::spoiled;
}

std::vector<Contest> contests_in(std::size_t number, const record::StoredRun& run,
                                 Question question) {
  std::map<std::string, std::size_t> places;
  std::vector<Contest> all;
  for (std::size_t i = 0; i < run.points.size(); ++i) {
    if (!is_synchronization(run.points[i].row)) continue;
    const std::string same = split(question, run.points[i].row.configuration).first;
    const auto [place, is_new] = places.try_emplace(same, all.size());
    if (is_new) all.push_back({.run = number, .question = question});
    all[place->second].entrants.push_back(i);
  }
  std::vector<Contest> found;
  for (Contest& contest : all) {
    contest.by_iteration = std::ranges::all_of(
        contest.entrants, [&](std::size_t i) { return !run.points[i].iterations.empty(); });
    sort_entrants(contest, run);
    if (contest.entrants.size() < 2) continue;
    judge(contest, run);
    found.push_back(std::move(contest));
  }
  const auto measured = [&](const Contest& contest) {
    return !is_simulated(run.points[contest.entrants.front()]);
  };
  const bool any = std::ranges::any_of(found, measured);
  for (Contest& contest : found) contest.leads = !any || measured(contest);
  return found;
}

}  // namespace

std::string_view to_string(Question question) {
  return kQuestions.name_of(question);
}

bool has_wrong_sums(const record::Row& row) {
  return row.wrong.value_or(0) != 0 ||
         std::ranges::find(row.flags, record::kFlagWrongData) != row.flags.end();
}

bool is_synchronization(const record::Row& row) {
  return row.gst.min > 0 && !has_wrong_sums(row);  // no time at all: a damaged folder
}

const record::Summary& compared_times(const Contest& contest, const record::StoredPoint& point) {
  return contest.by_iteration && point.row.training ? point.row.training->iteration : point.row.gst;
}

std::vector<Contest> contests_of(std::span<const record::StoredRun> runs) {
  std::vector<Contest> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const Question question : {Question::place, Question::schedule}) {
      for (Contest& contest : contests_in(i, runs[i], question)) {
        found.push_back(std::move(contest));
      }
    }
  }
  return found;
}

}  // namespace gradwire::report
