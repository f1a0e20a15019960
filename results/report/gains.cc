#include "results/report/gains.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"

namespace gradwire::report {
namespace {

const std::string& compared(const record::GainQuery& query, const record::Row& row) {
  const record::Configuration& configuration = row.configuration;
  return query.by == record::GainQuery::By::algorithm ? configuration.algorithm
                                                      : configuration.schedule;
}

/// Whether the rows differ only in what is compared. An algorithm implies its wiring; a schedule
/// does not.
bool alike(const record::GainQuery& query, const record::Row& a, const record::Row& b) {
  using enum record::Field;
  const record::Configuration& x = a.configuration;
  const record::Configuration& y = b.configuration;
  return query.by == record::GainQuery::By::algorithm
             ? record::same_but_for({point, algorithm, wiring, ports_per_host}, x, y)
             : record::same_but_for({point, schedule}, x, y);
}

constexpr std::array kGainsHeadings = std::to_array<text::Heading>({{"backing", "", true},
                                                                    {"N"},
                                                                    {"workload", "", true},
                                                                    {"batch"},
                                                                    {"of", "", true},
                                                                    {"against", "", true},
                                                                    {"iter_of", "(us)"},
                                                                    {"iter_against", "(us)"},
                                                                    {"shorter", "(%)"}});

}  // namespace

std::vector<Gain> gains(const record::GainQuery& query, std::span<const record::Row> rows) {
  std::vector<Gain> found;
  for (const std::string& other : query.against) {
    for (const record::Row& of : rows) {
      if (!of.training || compared(query, of) != query.of) continue;
      for (const record::Row& against : rows) {
        if (!against.training || compared(query, against) != other) continue;
        if (!alike(query, of, against)) continue;
        const double ratio = of.training->iteration.median / against.training->iteration.median;
        found.push_back({.of = &of, .against = &against, .percent = 100 * (1 - ratio)});
      }
    }
  }
  return found;
}

std::string format_gains(const record::GainQuery& query, std::span<const record::Row> rows) {
  const std::vector<Gain> found = gains(query, rows);
  if (found.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const Gain& gain : found) {
    const record::Configuration& c = gain.of->configuration;
    lines.push_back(
        {to_string(c.backing), fmt::to_string(c.ranks), c.workload.empty() ? "-" : c.workload,
         c.batch == 0 ? "-" : fmt::to_string(c.batch), query.of, compared(query, *gain.against),
         text::microseconds(Seconds(gain.of->training->iteration.median)),
         text::microseconds(Seconds(gain.against->training->iteration.median)),
         fmt::format("{:.1f}", gain.percent)});
  }
  std::string text = "#\n# Jobs compared: 100 (1 - iteration of / iteration against)\n#\n";
  text += text::format_columns(kGainsHeadings, lines);
  if (!query.published.empty()) {
    text += fmt::format("# published: {}{}\n", query.published,
                        query.source.empty() ? "" : " (" + query.source + ")");
  }
  return text;
}

nlohmann::json to_json(const record::GainQuery& query, std::span<const record::Row> rows) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const Gain& gain : gains(query, rows)) {
    pairs.push_back({{"of", gain.of->configuration.point},
                     {"against", gain.against->configuration.point},
                     {"shorter_percent", gain.percent}});
  }
  return {{"of", query.of},
          {"against", query.against},
          {"published", query.published},
          {"source", query.source},
          {"pairs", std::move(pairs)}};
}

}  // namespace gradwire::report
