#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Parts of an experiment's points, each measured as a run of its own: `gradwire run --points 2/8`.
namespace gradwire::record {

/// Most parts of a sweep. An experiment has no more points (harness/experiment/experiment.h), so
/// further parts would be empty.
inline constexpr std::size_t kMostParts = 1000;

/// Part of a sweep, one of several. Points are dealt in turn, in the experiment's order: of eight
/// parts the second has the points 1, 9, 17, ..., counted from 0, each on all of the experiment's
/// backings.
struct SweepPart {
  std::size_t number = 1;  ///< 1 to `of`
  std::size_t of = 1;      ///< 1 to kMostParts

  /// Whether the point at this position of the experiment belongs to the part.
  [[nodiscard]] bool has(std::size_t point) const { return point % of == number - 1; }

  friend bool operator==(const SweepPart&, const SweepPart&) = default;
};

/// The part as text: "2/8".
[[nodiscard]] std::string to_string(const SweepPart& part);
/// Parses "2/8". Throws InputError, without a place, for anything but two whole numbers with 1 <=
/// number <= of <= kMostParts.
[[nodiscard]] SweepPart parse_sweep_part(std::string_view text);

/// Record of a part and of the whole in the part's context.json.
struct PartRecord {
  SweepPart part;
  std::size_t planned = 0;  ///< points of the whole experiment, each backing counted
  std::string sweep;        ///< hash of all its points' keys: equal in all parts of a sweep
};

[[nodiscard]] nlohmann::json to_json(const PartRecord& record);
/// Reads the part's record from a context that follows its schema; nothing for a run that is no
/// part, and for null. Throws StoreError for an impossible part, such as 3/2.
[[nodiscard]] std::optional<PartRecord> part_record(const nlohmann::json& context);

/// Whether a context is of a run that was merged from parts (results/record/merge.h).
[[nodiscard]] bool is_merged(const nlohmann::json& context);

/// The machines on which a run continued, each once, in the order of its attempts. `run` is a
/// context that follows its schema, or a merged context's record of a part. A machine without a
/// name is "an unknown machine".
[[nodiscard]] std::vector<std::string> machines_of(const nlohmann::json& run);

}  // namespace gradwire::record
