#include "results/report/answer/answer.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "results/record/point_json.h"
#include "results/report/answer/alone.h"
#include "results/report/answer/contest.h"
#include "results/report/answer/entrants.h"
#include "results/report/answer/matrices.h"
#include "results/report/answer/sentence.h"
#include "results/report/answer/words.h"

namespace gradwire::report {
namespace {

using nlohmann::json;
using Runs = std::span<const record::StoredRun>;

/// Makes the first letter a capital, and adds a full stop. Names of users may begin with anything.
std::string as_sentence(std::string words) {
  if (words.front() >= 'a' && words.front() <= 'z') {
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  }
  return words + '.';
}

json lead_json(const Lead& lead) {
  json interval = nullptr;
  if (const auto& known = lead.ratio.interval) {
    interval = {{"low", known->low}, {"high", known->high}, {"confidence", known->confidence}};
  }
  return {{"ratio", lead.ratio.ratio},
          {"interval", std::move(interval)},
          {"gap", record::or_null(lead.gap)},
          {"surety", to_string(lead.surety)},
          {"clear", lead.is_clear()}};
}

json contest_json(Runs runs, const Contest& contest) {
  const record::Configuration& c =
      runs[contest.run].points[contest.entrants.front()].row.configuration;
  return {{"run", contest.run},
          {"question", to_string(contest.question)},
          {"what", contest.by_iteration ? "iteration" : "GST"},
          {"gradients", gradients_words(c)},
          {"rows", contest.entrants},
          {"names", entrant_names(runs, contest)},
          {"lead", lead_json(contest.lead)},
          {"leads", contest.leads},
          {"sentence", as_sentence(contest_words(runs, contest))}};
}

std::vector<Alone> alone_rows(Runs runs, std::span<const Contest> contests) {
  std::set<std::size_t> contested;
  for (const Contest& contest : contests) contested.insert(contest.run);
  std::vector<Alone> rows;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!contested.contains(i)) std::ranges::copy(alone_in(runs[i]), std::back_inserter(rows));
  }
  return rows;
}

/// Counts rows with wrong sums: "2 rows are left out, as their sums are wrong"; empty without any.
std::string left_out_words(Runs runs) {
  std::size_t wrong = 0;
  for (const record::StoredRun& run : runs) {
    for (const record::StoredPoint& point : run.points) wrong += has_wrong_sums(point.row) ? 1 : 0;
  }
  if (wrong == 0) return "";
  return wrong == 1 ? "1 row is left out, as its sums are wrong"
                    : fmt::format("{} rows are left out, as their sums are wrong", wrong);
}

std::string answer_sentence(Runs runs, std::span<const Contest> contests) {
  std::vector<std::string> clauses;
  for (const Question question : {Question::place, Question::schedule, Question::matrix}) {
    std::vector<Contest> these;
    std::ranges::copy_if(contests, std::back_inserter(these), [&](const Contest& contest) {
      return contest.leads && contest.question == question;
    });
    if (these.empty()) continue;
    if (these.size() == 1) {
      clauses.push_back(contest_words(runs, these.front()));
    } else {
      clauses.push_back(question == Question::matrix ? matrices_words(runs, these)
                                                     : tally_words(runs, these));
    }
  }
  const std::vector<Alone> alone = alone_rows(runs, contests);
  if (!alone.empty()) clauses.push_back(alone_words(alone));
  const std::string left_out = left_out_words(runs);
  if (!left_out.empty()) clauses.push_back(left_out);
  if (clauses.empty()) return "Nothing was measured yet.";
  return as_sentence(fmt::format("{}", fmt::join(clauses, "; ")));
}

}  // namespace

json answer_json(Runs runs) {
  const std::vector<Contest> contests = contests_of(runs);
  json comparisons = json::array();
  for (const Contest& contest : contests) comparisons.push_back(contest_json(runs, contest));
  return {{"sentence", answer_sentence(runs, contests)}, {"comparisons", std::move(comparisons)}};
}

}  // namespace gradwire::report
