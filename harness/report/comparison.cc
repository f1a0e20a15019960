#include "harness/report/comparison.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "harness/experiment/spec.h"
#include "harness/report/columns.h"

namespace gradwire::harness {
namespace {

const std::string& compared(const Comparison& comparison, const Row& row) {
  const Configuration& configuration = row.configuration;
  return comparison.by == Comparison::By::algorithm ? configuration.algorithm
                                                    : configuration.schedule;
}

/// Whether the rows differ in what is compared and nothing else. An algorithm brings its wiring
/// with it; a schedule does not.
bool alike(const Comparison& comparison, const Row& a, const Row& b) {
  const Configuration& x = a.configuration;
  const Configuration& y = b.configuration;
  if (x.workload != y.workload || x.batch != y.batch || x.elements != y.elements) return false;
  if (x.ranks != y.ranks || x.backing != y.backing) return false;
  if (comparison.by == Comparison::By::algorithm) return x.schedule == y.schedule;
  return x.algorithm == y.algorithm && x.wiring == y.wiring;
}

std::string known_spelling(const YamlText& written, const std::set<std::string>& known) {
  const std::string spelling =
      at(written.place, [&] { return to_string(parse_spec(written.text)); });
  if (known.contains(spelling)) return spelling;
  throw InputError(written.place, fmt::format("no point has '{}'; there are: {}", spelling,
                                              fmt::join(known, ", ")));
}

constexpr std::array kHeadings = std::to_array<Heading>({{"backing", "", true},
                                                         {"N"},
                                                         {"workload", "", true},
                                                         {"batch"},
                                                         {"of", "", true},
                                                         {"against", "", true},
                                                         {"iter_of", "(us)"},
                                                         {"iter_against", "(us)"},
                                                         {"shorter", "(%)"}});

}  // namespace

Comparison read_comparison(const YamlReader& reader, const SourcePlace& place,
                           const ComparedPoints& points) {
  const bool by_algorithm = reader.text("algorithm").has_value();
  if (by_algorithm == reader.text("schedule").has_value()) {
    throw InputError(place, "compare takes either an algorithm or a schedule");
  }
  const char* const key = by_algorithm ? "algorithm" : "schedule";
  const std::set<std::string>& known = by_algorithm ? points.algorithms : points.schedules;
  Comparison comparison{
      .by = by_algorithm ? Comparison::By::algorithm : Comparison::By::schedule,
      .of = known_spelling({.text = *reader.text(key), .place = reader.place(key)}, known),
      .published = reader.text("published", ""),
      .source = reader.text("source", "")};
  for (const YamlText& other : reader.list("against")) {
    comparison.against.push_back(known_spelling(other, known));
  }
  return comparison;
}

std::vector<Gain> gains(const Comparison& comparison, std::span<const Row> rows) {
  std::vector<Gain> found;
  for (const std::string& other : comparison.against) {
    for (const Row& of : rows) {
      if (!of.training || compared(comparison, of) != comparison.of) continue;
      for (const Row& against : rows) {
        if (!against.training || compared(comparison, against) != other) continue;
        if (!alike(comparison, of, against)) continue;
        const double ratio = of.training->iteration.median / against.training->iteration.median;
        found.push_back({.of = &of, .against = &against, .percent = 100 * (1 - ratio)});
      }
    }
  }
  return found;
}

std::string format_gains(const Comparison& comparison, std::span<const Row> rows) {
  const std::vector<Gain> found = gains(comparison, rows);
  if (found.empty()) return "";
  std::vector<std::vector<std::string>> lines;
  for (const Gain& gain : found) {
    const Configuration& c = gain.of->configuration;
    lines.push_back({c.backing, fmt::to_string(c.ranks), c.workload.empty() ? "-" : c.workload,
                     c.batch == 0 ? "-" : fmt::to_string(c.batch), comparison.of,
                     compared(comparison, *gain.against),
                     microseconds(Seconds(gain.of->training->iteration.median)),
                     microseconds(Seconds(gain.against->training->iteration.median)),
                     fmt::format("{:.1f}", gain.percent)});
  }
  std::string text = "#\n# Jobs compared: 100 (1 - iteration of / iteration against)\n#\n";
  text += format_columns(kHeadings, lines);
  if (!comparison.published.empty()) {
    text += fmt::format("# published: {}{}\n", comparison.published,
                        comparison.source.empty() ? "" : " (" + comparison.source + ")");
  }
  return text;
}

nlohmann::json to_json(const Comparison& comparison, std::span<const Row> rows) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const Gain& gain : gains(comparison, rows)) {
    pairs.push_back({{"of", gain.of->configuration.point},
                     {"against", gain.against->configuration.point},
                     {"shorter_percent", gain.percent}});
  }
  return {{"of", comparison.of},
          {"against", comparison.against},
          {"published", comparison.published},
          {"source", comparison.source},
          {"pairs", std::move(pairs)}};
}

}  // namespace gradwire::harness
