#include "harness/experiment/gain_query.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "collectives/algorithms/from_file.h"
#include "core/text/spec.h"

namespace gradwire::experiment {
namespace {

std::string known_spelling(const text::YamlText& written, const std::set<std::string>& known) {
  const std::string spelling = text::at(written.place, [&] {
    return to_string(algorithms::in_folder_of(text::parse_spec(written.text), written.place.file));
  });
  if (known.contains(spelling)) return spelling;
  throw InputError(written.place, fmt::format("no point has '{}'; there are: {}", spelling,
                                              fmt::join(known, ", ")));
}

}  // namespace

record::GainQuery read_gain_query(const text::YamlReader& reader, const SourcePlace& place,
                                  const ComparableNames& names) {
  const bool by_algorithm = reader.text("algorithm").has_value();
  if (by_algorithm == reader.text("schedule").has_value()) {
    throw InputError(place, "compare takes either an algorithm or a schedule");
  }
  const char* const key = by_algorithm ? "algorithm" : "schedule";
  const std::set<std::string>& known = by_algorithm ? names.algorithms : names.schedules;
  record::GainQuery query{
      .by = by_algorithm ? record::GainQuery::By::algorithm : record::GainQuery::By::schedule,
      .of = known_spelling({.text = *reader.text(key), .place = reader.place(key)}, known),
      .published = reader.text("published", ""),
      .source = reader.text("source", "")};
  for (const text::YamlText& other : reader.list("against")) {
    query.against.push_back(known_spelling(other, known));
  }
  return query;
}

}  // namespace gradwire::experiment
