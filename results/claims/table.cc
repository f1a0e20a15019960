#include "results/claims/table.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/name_table.h"
#include "core/text/table.h"

namespace gradwire::claims {
namespace {

using nlohmann::json;

constexpr std::array<text::Heading, 7> kHeadings{{{.name = "#", .left = true, .width = 2},
                                                  {.name = "claim", .left = true, .width = 30},
                                                  {.name = "published", .left = true, .width = 24},
                                                  {.name = "theory", .left = true, .width = 26},
                                                  {.name = "simulated", .left = true, .width = 28},
                                                  {.name = "measured", .left = true, .width = 28},
                                                  {.name = "verdict", .left = true, .width = 40}}};

constexpr NameTable<Outcome, 10> kOutcomes({{"reproduced", Outcome::reproduced},
                                            {"close", Outcome::close},
                                            {"partly", Outcome::partly},
                                            {"differs", Outcome::differs},
                                            {"contradicted", Outcome::contradicted},
                                            {"prediction", Outcome::prediction},
                                            {"identity", Outcome::identity},
                                            {"input", Outcome::input},
                                            {"impossible here", Outcome::impossible},
                                            {"not run", Outcome::not_run}});

std::vector<std::string> cells_of(const Judged& judged) {
  const Claim& claim = *judged.claim;
  const Finding& finding = judged.finding;
  return {fmt::to_string(claim.number),
          fmt::format("{}. {}, {}", claim.what, claim.paper, claim.where),
          finding.published,
          finding.theory,
          finding.simulated,
          finding.measured,
          finding.verdict.text};
}

/// The rows that a claim rests on, by run: " 1  3 rows of quickstart (simulated); ...".
std::string evidence_line(const Judged& judged) {
  std::vector<std::string> sources;
  for (const Source& source : judged.finding.sources) {
    sources.push_back(describe(source) + (source.is_refused ? ", times refused" : ""));
  }
  if (sources.empty()) sources.emplace_back("no run");
  return fmt::format("{:>2}  {}\n", judged.claim->number, fmt::join(sources, "; "));
}

json sources_of(const Finding& finding) {
  json sources = json::array();
  for (const Source& source : finding.sources) {
    json rows = json::array();
    for (const UsedRow& row : source.rows) {
      rows.push_back({{"key", row.key}, {"name", row.name}, {"flags", row.flags}});
    }
    sources.push_back({{"experiment", source.experiment},
                       {"backing", record::to_string(source.backing)},
                       {"refused", source.is_refused},
                       {"rows", std::move(rows)}});
  }
  return sources;
}

json checks_of(const Finding& finding) {
  json checks = json::array();
  for (const Check& check : finding.checks) {
    if (!check.is_compared()) continue;
    checks.push_back({{"name", check.name},
                      {"value", check.value},
                      {"expected", check.expected.value},
                      {"published", check.expected.is_published},
                      {"deviation", check.deviation()}});
  }
  return checks;
}

}  // namespace

std::vector<Judged> judge_all(const Runs& runs) {
  std::vector<Judged> judged;
  for (const Claim& claim : claims()) judged.push_back({&claim, judge(claim, runs)});
  return judged;
}

std::string format_table(std::span<const Judged> judged) {
  std::vector<std::string> rule;
  for (const text::Heading& heading : kHeadings) rule.emplace_back(heading.width, '-');
  std::vector<std::vector<std::string>> rows;
  std::map<Outcome, std::size_t> counts;
  for (const Judged& one : judged) {
    rows.push_back(rule);
    rows.push_back(cells_of(one));
    ++counts[one.finding.verdict.outcome];
  }
  std::string text = text::format_columns(kHeadings, std::move(rows), text::kNoMargins);
  text += "\n";
  for (const auto& [outcome, count] : counts) {
    text += fmt::format("{:>3} {}\n", count, to_string(outcome));
  }
  text += "\nWhat each claim rests on:\n";
  for (const Judged& one : judged) text += evidence_line(one);
  return text;
}

json to_json(std::span<const Judged> judged) {
  json rows = json::array();
  for (const Judged& one : judged) {
    const Finding& finding = one.finding;
    rows.push_back(
        {{"number", one.claim->number},
         {"paper", one.claim->paper},
         {"where", one.claim->where},
         {"claim", one.claim->what},
         {"published", finding.published},
         {"theory", finding.theory},
         {"simulated", finding.simulated},
         {"measured", finding.measured},
         {"verdict",
          {{"outcome", to_string(finding.verdict.outcome)}, {"text", finding.verdict.text}}},
         {"fitted", finding.fitted},
         {"rests_on", sources_of(finding)},
         {"compared", checks_of(finding)}});
  }
  return {{"version", 2}, {"claims", std::move(rows)}};
}

bool any_contradicted(std::span<const Judged> judged) {
  return std::ranges::any_of(judged, [](const Judged& one) {
    return one.finding.verdict.outcome == Outcome::contradicted;
  });
}

std::string_view to_string(Outcome outcome) {
  return kOutcomes.name_of(outcome);
}

std::optional<Outcome> outcome_of(std::string_view name) {
  return kOutcomes.find(name);
}

}  // namespace gradwire::claims
