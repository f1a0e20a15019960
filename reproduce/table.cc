#include "reproduce/table.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/name_table.h"
#include "text/table.h"

namespace gradwire::reproduce {
namespace {

using nlohmann::json;

constexpr std::array<text::Heading, 7> kHeadings{{{.name = "#", .left = true, .width = 2},
                                                  {.name = "claim", .left = true, .width = 30},
                                                  {.name = "published", .left = true, .width = 24},
                                                  {.name = "theory", .left = true, .width = 26},
                                                  {.name = "simulated", .left = true, .width = 28},
                                                  {.name = "measured", .left = true, .width = 28},
                                                  {.name = "verdict", .left = true, .width = 32}}};

constexpr NameTable<Outcome, 7> kOutcomes({{"reproduced", Outcome::reproduced},
                                           {"close", Outcome::close},
                                           {"partly", Outcome::partly},
                                           {"differs", Outcome::differs},
                                           {"contradicted", Outcome::contradicted},
                                           {"not here", Outcome::not_here},
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
          {{"outcome", to_string(finding.verdict.outcome)}, {"text", finding.verdict.text}}}});
  }
  return {{"version", 1}, {"claims", std::move(rows)}};
}

bool any_contradicted(std::span<const Judged> judged) {
  return std::ranges::any_of(judged, [](const Judged& one) {
    return one.finding.verdict.outcome == Outcome::contradicted;
  });
}

std::string_view to_string(Outcome outcome) {
  return kOutcomes.name_of(outcome);
}

}  // namespace gradwire::reproduce
