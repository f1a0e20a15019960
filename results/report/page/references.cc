#include "results/report/page/references.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

Shows parse_shows(const json& shows) {
  const std::string kind = shows.at("kind");
  if (kind == "jct-reduction") return ShowsJctReduction{shows.at("algorithm"), shows.at("against")};
  if (kind == "gst-t_f") return ShowsGst{shows.at("algorithm"), shows.at("wiring")};
  ensure(kind == "speed-up", "a reference shows something that the page can draw");
  return ShowsSpeedUp{shows.at("schedule"), shows.at("against"), shows.at("N")};
}

std::string source_of(const json& file, const json& number) {
  const auto either = [&](const char* key) -> const json& {
    return number.contains(key) ? number.at(key) : file.at(key);
  };
  return fmt::format("{}, {} {}, {}", file.at("short").get<std::string>(),
                     either("venue").get<std::string>(), either("year").get<int>(),
                     number.at("where").get<std::string>());
}

PublishedNumber parse_number(const json& file, const json& entry) {
  PublishedNumber number{.id = entry.at("id"),
                         .source = source_of(file, entry),
                         .what = entry.at("what"),
                         .unit = entry.at("unit"),
                         .kind = entry.at("kind"),
                         .value = entry.at("value"),
                         .note = entry.value("note", "")};
  for (const json& shows : entry.value("shows", json::array())) {
    number.references.push_back({.id = number.id,
                                 .source = number.source,
                                 .what = number.what,
                                 .unit = number.unit,
                                 .low = shows.at("low"),
                                 .high = shows.at("high"),
                                 .experiment = shows.at("experiment"),
                                 .shows = parse_shows(shows)});
  }
  return number;
}

json to_json(const Shows& shows) {
  struct {
    json operator()(const ShowsJctReduction& s) const {
      return {{"kind", "jct-reduction"}, {"algorithm", s.algorithm}, {"against", s.against}};
    }
    json operator()(const ShowsGst& s) const {
      return {{"kind", "gst-t_f"}, {"algorithm", s.algorithm}, {"wiring", s.wiring}};
    }
    json operator()(const ShowsSpeedUp& s) const {
      return {
          {"kind", "speed-up"}, {"schedule", s.schedule}, {"against", s.against}, {"N", s.ranks}};
    }
  } write;
  return std::visit(write, shows);
}

std::vector<PublishedNumber> parse_all() {
  std::vector<PublishedNumber> numbers;
  for (const auto& [name, text] : reference_files()) {
    for (PublishedNumber& number : parse_references(text)) numbers.push_back(std::move(number));
  }
  return numbers;
}

}  // namespace

std::vector<PublishedNumber> parse_references(std::string_view text) {
  const json file = json::parse(text);
  std::vector<PublishedNumber> numbers;
  for (const json& entry : file.at("numbers")) numbers.push_back(parse_number(file, entry));
  return numbers;
}

const std::vector<PublishedNumber>& published_numbers() {
  static const std::vector<PublishedNumber> all = parse_all();
  return all;
}

const PublishedNumber& published(std::string_view id) {
  const auto& all = published_numbers();
  const auto found = std::ranges::find(all, id, &PublishedNumber::id);
  if (found == all.end()) throw InternalError(fmt::format("no published number '{}'", id));
  return *found;
}

std::vector<Reference> references_for(const std::set<std::string>& experiments) {
  std::vector<Reference> result;
  for (const PublishedNumber& number : published_numbers()) {
    std::ranges::copy_if(
        number.references, std::back_inserter(result),
        [&](const Reference& reference) { return experiments.contains(reference.experiment); });
  }
  return result;
}

json to_json(const Reference& reference) {
  return {{"id", reference.id},
          {"source", reference.source},
          {"what", reference.what},
          {"unit", reference.unit},
          {"low", reference.low},
          {"high", reference.high},
          {"experiment", reference.experiment},
          {"shows", to_json(reference.shows)}};
}

}  // namespace gradwire::report
