#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

/// Numbers that the papers published: the files of results/reference/, as of the build.
namespace gradwire::report {

/// Reduction of JCT in percent: 100 (1 - JCT of `algorithm` / JCT of `against`).
struct ShowsJctReduction {
  std::string algorithm;
  std::string against;
  friend bool operator==(const ShowsJctReduction&, const ShowsJctReduction&) = default;
};

/// GST in units of T_F.
struct ShowsGst {
  std::string algorithm;
  std::string wiring;
  friend bool operator==(const ShowsGst&, const ShowsGst&) = default;
};

/// Speed-up: iteration time of `against` / iteration time of `schedule`.
struct ShowsSpeedUp {
  std::string schedule;
  std::string against;
  std::size_t ranks = 0;  ///< N
  friend bool operator==(const ShowsSpeedUp&, const ShowsSpeedUp&) = default;
};

using Shows = std::variant<ShowsJctReduction, ShowsGst, ShowsSpeedUp>;

/// Published number to draw beside an experiment's own.
struct Reference {
  std::string id;      ///< "BML-33"
  std::string source;  ///< "BML, NeurIPS 2018, section 4.3, Figure 6"
  std::string what;
  std::string unit;
  double low = 0;
  double high = 0;         ///< equal to low for a single number
  std::string experiment;  ///< name of the experiment whose runs it belongs to
  Shows shows;
};

/// Published number as it is printed.
struct PublishedNumber {
  std::string id;
  std::string source;  ///< paper and place in it, as Reference::source
  std::string what;
  std::string unit;
  std::string kind;                   ///< "number", "range", "formula", "sequence"
  nlohmann::json value;               ///< a number, [low, high], a text, or a list
  std::string note;                   ///< doubts about it; may be empty
  std::vector<Reference> references;  ///< places at which it is drawn
};

/// Parses one file of results/reference/. Throws nlohmann::json::exception, or InternalError for an
/// unknown kind of `shows`, when the text does not fit results/schema/reference.schema.json.
[[nodiscard]] std::vector<PublishedNumber> parse_references(std::string_view text);

/// All numbers, file by file, in their order. Parsed once; may be called by several threads.
[[nodiscard]] const std::vector<PublishedNumber>& published_numbers();

/// The number of this id. Throws InternalError for an id that no file has.
[[nodiscard]] const PublishedNumber& published(std::string_view id);

/// The references drawn beside the results of these experiments (by name), in the files' order.
[[nodiscard]] std::vector<Reference> references_for(const std::set<std::string>& experiments);

/// A reference for the page: `interface Reference` of results/web/src/data.ts.
[[nodiscard]] nlohmann::json to_json(const Reference& reference);

/// The files' texts, by name without ".json".
[[nodiscard]] const std::vector<std::pair<std::string, std::string>>& reference_files();

}  // namespace gradwire::report
