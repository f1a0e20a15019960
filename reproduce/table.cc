#include "reproduce/table.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace gradwire::reproduce {
namespace {

using nlohmann::json;

struct Heading {
  std::string_view title;
  std::size_t width;
};

constexpr std::array<Heading, 7> kHeadings{{{"#", 2},
                                            {"claim", 30},
                                            {"published", 24},
                                            {"theory", 26},
                                            {"simulated", 28},
                                            {"measured", 28},
                                            {"verdict", 32}}};

using Cells = std::array<std::string, kHeadings.size()>;

std::string format_row(const Cells& cells) {
  std::array<std::vector<std::string>, kHeadings.size()> lines;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    lines[i] = wrap(cells[i], kHeadings[i].width);
    height = std::max(height, lines[i].size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view cell = line < lines[i].size() ? std::string_view(lines[i][line]) : "";
      row += fmt::format("{:<{}}  ", cell, kHeadings[i].width);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

Cells cells_of(const Judged& judged) {
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
  Cells titles, rule;
  for (std::size_t i = 0; i < kHeadings.size(); ++i) {
    titles[i] = kHeadings[i].title;
    rule[i] = std::string(kHeadings[i].width, '-');
  }
  std::string text = format_row(titles);
  std::map<Outcome, std::size_t> counts;
  for (const Judged& one : judged) {
    text += format_row(rule) + format_row(cells_of(one));
    ++counts[one.finding.verdict.outcome];
  }
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
  switch (outcome) {
    case Outcome::reproduced:
      return "reproduced";
    case Outcome::close:
      return "close";
    case Outcome::partly:
      return "partly";
    case Outcome::differs:
      return "differs";
    case Outcome::contradicted:
      return "contradicted";
    case Outcome::not_here:
      return "not here";
    case Outcome::not_run:
      return "not run";
  }
  throw InternalError("unknown Outcome");
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    std::size_t end = text.rfind(' ', width);
    const bool blank = end != std::string_view::npos && end > 0;
    if (!blank) end = width;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + (blank ? 1 : 0));
  }
  lines.emplace_back(text);
  return lines;
}

}  // namespace gradwire::reproduce
