#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Parts of an experiment's points, each measured as a run of its own: `gradwire run --points 2/8`.
namespace gradwire::record {

/// An experiment has no more points (harness/experiment/experiment.h): further parts would be empty.
inline constexpr std::size_t kMostParts = 1000;

/// One of several parts. Points are dealt in turn, in the experiment's order: of eight parts the
/// second has the points 1, 9, 17, ..., counted from 0, each on all of the experiment's backings.
struct SweepPart {
  std::size_t number = 1;  ///< 1 to `of`
  std::size_t of = 1;      ///< 1 to kMostParts

  /// Whether the point at this position of the experiment belongs to the part.
  [[nodiscard]] bool has(std::size_t point) const { return point % of == number - 1; }

  friend bool operator==(const SweepPart&, const SweepPart&) = default;
};

/// "2/8"
[[nodiscard]] std::string to_string(const SweepPart& part);
/// Reads "2/8". Throws InputError, without a place, for anything that is not two whole numbers with
/// 1 <= number <= of <= kMostParts.
[[nodiscard]] SweepPart parse_sweep_part(std::string_view text);

/// What a part's context.json says of the part and of the whole.
struct PartRecord {
  SweepPart part;
  std::size_t planned = 0;  ///< points of the whole experiment, each backing counted
  std::string sweep;        ///< a hash of all its points' keys: the same in all parts of a sweep
};

[[nodiscard]] nlohmann::json to_json(const PartRecord& record);
/// What a context that follows its schema says; nothing for that of a run that is no part, and for
/// null. Throws StoreError for a part that there cannot be, such as 3/2.
[[nodiscard]] std::optional<PartRecord> part_record(const nlohmann::json& context);

/// Whether a context is that of a run that was put together of parts (results/record/merge.h).
[[nodiscard]] bool is_merged(const nlohmann::json& context);

/// On which machines a run went on, each once, in the order of its attempts. `run` is a context that
/// follows its schema, or what a merged one says of a part. A machine without a name is "an unknown
/// machine".
[[nodiscard]] std::vector<std::string> machines_of(const nlohmann::json& run);

}  // namespace gradwire::record
