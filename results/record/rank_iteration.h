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

/// What one rank says of one iteration, before the ranks' words are put together to a Sample.
namespace gradwire::record {

/// Reads a time in nanoseconds. Throws nlohmann::json::exception for what is no number, and
/// InternalError for one beyond kMostNanoseconds: differences and sums of two times never overflow.
[[nodiscard]] Nanoseconds nanoseconds_from_json(const nlohmann::json& json);
inline constexpr std::int64_t kMostNanoseconds = std::int64_t{1} << 61;  // 73 years

/// One bucket on one rank; on the machine's monotonic clock, like all times below.
struct RankBucket {
  Nanoseconds ready{};  ///< its last gradient
  Nanoseconds start{};
  Nanoseconds end{};
};

/// One rank's share of a training job's iteration.
struct RankTraining {
  Nanoseconds compute_end{};
  std::vector<RankBucket> buckets;
  std::uint64_t parameters = 0;  ///< a digest of the parameters after the update; 0: not verified
};

/// One rank's share of a job whose workload is dense(...).
struct RankDense {
  Nanoseconds products{};  ///< of a processor, for its matrix products
  std::optional<double>
      deviation;  ///< of its average, relative; absent: not verified, or no number
};

/// A node of a job's program on one rank.
struct RankNode {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  Nanoseconds start{};
  Nanoseconds end{};
  std::uint32_t cause = kNone;  ///< the node that held it up last; none where the iteration did
  friend bool operator==(const RankNode&, const RankNode&) = default;
};

/// One rank's share of a run of a job's program (schedule/jobs/job.h), again and again.
struct RankProgram {
  std::vector<Nanoseconds> ends;  ///< by iteration that counts: when its last node was over
  std::vector<RankNode> nodes;    ///< in the last of these
  std::uint64_t verified = 0;     ///< calls whose result was looked at
  friend bool operator==(const RankProgram&, const RankProgram&) = default;
};

/// A send or receive of one rank, as the trace shows it; times since the iteration began there.
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
/// Throws InternalError for what to_json did not make.
[[nodiscard]] TracedTransfer traced_transfer_from_json(const nlohmann::json& json);

/// Something that happened to the link of one of a rank's ports.
struct LinkEvent {
  Port port;
  std::string what;  ///< "p0 was down for 0.21 s"
  friend bool operator==(const LinkEvent&, const LinkEvent&) = default;
};

/// What one rank measured of one iteration, on the machine's monotonic clock.
struct RankIteration {
  Nanoseconds start{};  ///< since the clock's beginning
  Nanoseconds end{};
  std::optional<std::int64_t> wrong;      ///< absent: not verified
  std::optional<RankTraining> training;   ///< of a training job
  std::optional<RankDense> dense;         ///< of fully connected layers; not in timelines
  std::optional<RankProgram> program;     ///< of a job's program; not in timelines
  std::vector<TracedTransfer> transfers;  ///< when traced; they travel apart
  Nanoseconds stood_still{};              ///< how long its process did not run; not kept
  std::vector<LinkEvent> links;           ///< since the iteration before, or during it; not kept
};

[[nodiscard]] nlohmann::json to_json(const RankIteration& iteration);
/// Throws InternalError for what to_json did not make.
[[nodiscard]] RankIteration rank_iteration_from_json(const nlohmann::json& json);

}  // namespace gradwire::record
