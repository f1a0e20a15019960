#include "results/report/answer/contest.h"

#include <algorithm>
#include <iterator>
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

constexpr NameTable<Question, 3> kQuestions({{"place", Question::place},
                                             {"schedule", Question::schedule},
                                             {"matrix", Question::matrix}});

/// The fields of a configuration's JSON that answer the question. An algorithm implies its wiring,
/// and the wiring its ports.
std::vector<const char*> asked_for(Question question) {
  if (question == Question::schedule) return {"schedule"};
  if (question == Question::place) return {"algorithm", "wiring", "k"};
  return {"algorithm", "wiring", "k", "schedule"};
}

/// Splits a configuration into the fields that do not answer the question, and those that do.
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

/// The lead of the first entrant over another.
Lead lead_over(const Contest& contest, const record::StoredRun& run, std::size_t entrant) {
  const record::StoredPoint& first = run.points[contest.entrants[0]];
  const record::StoredPoint& other = run.points[contest.entrants[entrant]];
  Lead lead = contest.by_iteration
                  ? lead_of(first.iterations, other.iterations, is_simulated(first))
                  : lead_of(first.gst, other.gst, is_simulated(first));
  if (is_spoiled(first.row) || is_spoiled(other.row)) lead.surety = Surety::spoiled;
  return lead;
}

/// Compares the first entrant of a matrix with those at other places and at its own.
void judge_matrix(Contest& contest, const record::StoredRun& run) {
  const auto place_of = [&](std::size_t entrant) {
    const std::size_t point = contest.entrants[entrant];
    return split(Question::place, run.points[point].row.configuration).second;
  };
  const std::string first = place_of(0);
  for (std::size_t i = 1; i < contest.entrants.size(); ++i) {
    const bool is_here = place_of(i) == first;
    if (!is_here && contest.elsewhere) continue;
    const Rival rival{i, lead_over(contest, run, i)};
    if (is_here) {
      contest.rescheduled.push_back(rival);
    } else {
      contest.elsewhere = rival;
    }
  }
}

void judge(Contest& contest, const record::StoredRun& run) {
  contest.lead = lead_over(contest, run, 1);
  if (contest.question == Question::matrix) judge_matrix(contest, run);
}

/// Whether the entrants differ enough for the question: a matrix needs rows and columns.
bool is_contest(const Contest& contest, const record::StoredRun& run) {
  const auto varies = [&](Question question) {
    std::set<std::string> answers;
    for (const std::size_t place : contest.entrants) {
      answers.insert(split(question, run.points[place].row.configuration).second);
    }
    return answers.size() > 1;
  };
  if (contest.question != Question::matrix) return contest.entrants.size() > 1;
  return varies(Question::place) && varies(Question::schedule);
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
    if (!is_contest(contest, run)) continue;
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

bool is_simulated(const record::StoredPoint& point) {
  return point.row.configuration.backing == record::Backing::simulated;
}

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
    std::vector<Contest> matrices = contests_in(i, runs[i], Question::matrix);
    std::set<std::size_t> in_matrices;
    for (const Contest& matrix : matrices) {
      if (matrix.leads) in_matrices.insert(matrix.entrants.begin(), matrix.entrants.end());
    }
    for (const Question question : {Question::place, Question::schedule}) {
      for (Contest& contest : contests_in(i, runs[i], question)) {
        if (in_matrices.contains(contest.entrants.front())) contest.leads = false;
        found.push_back(std::move(contest));
      }
    }
    std::ranges::move(matrices, std::back_inserter(found));
  }
  return found;
}

}  // namespace gradwire::report
