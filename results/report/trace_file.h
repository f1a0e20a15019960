#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/clock.h"
#include "core/id.h"
#include "results/record/rank_iteration.h"
#include "results/record/sample.h"
#include "workloads/profile.h"

namespace gradwire::report {

/// Window of the traced iterations [first, last] of every point, counted from 0, warm-up included.
struct TraceWindow {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Parses "10:20" or "10". Throws InputError, without a place.
[[nodiscard]] TraceWindow parse_trace_window(const std::string& text);

/// Point that is traced.
struct TracedPoint {
  const record::Configuration& configuration;
  const workloads::Profile* profile = nullptr;  ///< training job's profile; nullptr: no computing
  std::vector<Rank> servers = {};               ///< ranks that serve parameters and compute nothing
};

/// Chrome trace (JSON object form), which Perfetto and chrome://tracing open: a process per point
/// and rank, with tracks for computing, buckets, each lane's steps, and each port's transfers.
/// Times are undilated microseconds since the first traced iteration began.
class TraceFile {
 public:
  /// Adds what the ranks did in one iteration of a point.
  void add(const TracedPoint& point, std::size_t iteration, double dilation,
           std::span<const record::RankIteration> ranks);

  /// Writes everything that was added; the file appears whole. Throws SystemError.
  void write(const std::filesystem::path& path) const;

  [[nodiscard]] const nlohmann::json& events() const { return events_; }

 private:
  /// The number of the process that shows a point's rank; named when it first appears.
  [[nodiscard]] std::size_t process(const TracedPoint& point, std::size_t rank);
  /// Names a track of a process when it first appears.
  void name_track(std::size_t process, std::size_t track, const std::string& name);
  void add_ports(std::size_t process, Nanoseconds start, double dilation, std::size_t element_bytes,
                 std::vector<record::TracedTransfer> transfers);

  nlohmann::json events_ = nlohmann::json::array();
  std::vector<std::pair<std::size_t, std::size_t>> processes_;  ///< point and rank, by process id
  std::set<std::pair<std::size_t, std::size_t>> tracks_;        ///< named ones: process and track
  std::optional<Nanoseconds> origin_;
};

}  // namespace gradwire::report
