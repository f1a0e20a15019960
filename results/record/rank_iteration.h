#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/id.h"
#include "core/plan.h"
#include "core/units.h"

/// Records of one rank's iteration, before those of all ranks are combined to a Sample.
namespace gradwire::record {

/// Reads a time in nanoseconds. Throws nlohmann::json::exception for anything but a number, and
/// InternalError for one beyond kMostNanoseconds, so that differences and sums of two times never
/// overflow.
[[nodiscard]] Nanoseconds nanoseconds_from_json(const nlohmann::json& json);
inline constexpr std::int64_t kMostNanoseconds = std::int64_t{1} << 61;  // 73 years

/// Times of one bucket on one rank, on the machine's monotonic clock, like all times below.
struct RankBucket {
  Nanoseconds ready{};  ///< when its last gradient was ready
  Nanoseconds start{};
  Nanoseconds end{};
};

/// Record of one rank in a training job's iteration.
struct RankTraining {
  Nanoseconds compute_end{};
  std::vector<RankBucket> buckets;
  std::uint64_t parameters = 0;  ///< digest after the update; 0: not verified
};

/// Record of one rank in a job whose workload is dense(...).
struct RankDense {
  Nanoseconds products{};  ///< processor time of its matrix products
  std::optional<double>
      deviation;  ///< relative, of its average; absent: not verified, or not a number
};

/// Node of a job's program on one rank.
struct RankNode {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  Nanoseconds start{};
  Nanoseconds end{};
  std::uint32_t cause = kNone;  ///< node that held it up last; kNone: the iteration did
  friend bool operator==(const RankNode&, const RankNode&) = default;
};

/// Record of one rank in a run of a job's program (schedule/jobs/job.h), again and again.
struct RankProgram {
  std::vector<Nanoseconds> ends;  ///< by counted iteration: end of its last node
  std::vector<RankNode> nodes;    ///< in the last of these iterations
  std::uint64_t verified = 0;     ///< calls whose result was checked
  friend bool operator==(const RankProgram&, const RankProgram&) = default;
};

/// Send or receive of one rank, for the trace; times are since the iteration began there.
struct TracedTransfer {
  std::size_t bucket = 0;
  std::size_t lane = 0;
  std::size_t step = 0;
  bool sends = false;
  Peer peer;
  std::size_t elements = 0;
  Nanoseconds posted{};
  Nanoseconds done{};
};

[[nodiscard]] nlohmann::json to_json(const TracedTransfer& transfer);
/// Reads to_json's document. Throws InternalError for any other.
[[nodiscard]] TracedTransfer traced_transfer_from_json(const nlohmann::json& json);

/// Event on the link of one of a rank's ports.
struct LinkEvent {
  Port port;
  std::string what;  ///< "p0 was down for 0.21 s"
  friend bool operator==(const LinkEvent&, const LinkEvent&) = default;
};

/// Record of one rank's iteration, on the machine's monotonic clock.
struct RankIteration {
  Nanoseconds start{};  ///< since the clock's beginning
  Nanoseconds end{};
  std::optional<std::int64_t> wrong;      ///< absent: not verified
  std::optional<RankTraining> training;   ///< part for a training job
  std::optional<RankDense> dense;         ///< part for fully connected layers; not in timelines
  std::optional<RankProgram> program;     ///< part for a job's program; not in timelines
  std::vector<TracedTransfer> transfers;  ///< when traced; they travel apart
  Nanoseconds stood_still{};              ///< time that its process did not run; not kept
  std::vector<LinkEvent> links;           ///< since the iteration before, and during it; not kept
};

[[nodiscard]] nlohmann::json to_json(const RankIteration& iteration);
/// Reads to_json's document. Throws InternalError for any other.
[[nodiscard]] RankIteration rank_iteration_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
