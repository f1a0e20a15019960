#include "results/report/trace_file.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/output_file.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

// Tracks of a rank, in the order in which they are shown.
constexpr std::size_t kComputing = 1;
constexpr std::size_t kBuckets = 2;
constexpr std::size_t kLanes = 10;
constexpr std::size_t kPorts = 1000;
constexpr std::size_t kRows = 100;  // of a port and direction

/// Builder of the events of one rank in one iteration.
class RankEvents {
 public:
  RankEvents(json& events, std::size_t process, Nanoseconds start, double dilation)
      : events_(events), process_(process), start_(start), dilation_(dilation) {}

  /// Adds a span to a track where spans do not overlap; times are since the iteration began.
  void span(std::size_t track, const std::string& name, Nanoseconds from, Nanoseconds to,
            json arguments = json::object()) {
    events_.push_back({{"ph", "X"},
                       {"pid", process_},
                       {"tid", track},
                       {"name", name},
                       {"ts", microseconds(start_ + from)},
                       {"dur", microseconds(std::max(to - from, Nanoseconds(0)))},
                       {"args", std::move(arguments)}});
  }

 private:
  [[nodiscard]] double microseconds(Nanoseconds time) const {
    return static_cast<double>(time.count()) / 1e3 / dilation_;
  }

  json& events_;
  std::size_t process_;
  Nanoseconds start_;
  double dilation_;
};

/// Adds forward and backward pass as in the profile. The iteration kept to it, or carries a flag.
void add_computing(RankEvents& events, const workloads::Profile& profile, double dilation) {
  const auto wall = [&](Seconds time) {
    return std::chrono::duration_cast<Nanoseconds>(time * dilation);
  };
  Seconds at{};
  const auto pass = [&](const std::string& what, const workloads::Layer& layer, Seconds time) {
    if (time > Seconds(0)) {
      events.span(kComputing, what + " " + layer.name, wall(at), wall(at + time));
    }
    at += time;
  };
  const auto& layers = profile.layers;
  for (const workloads::Layer& layer : layers) pass("forward", layer, layer.forward);
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    pass("backward", *layer, layer->backward);
  }
}

void add_buckets(RankEvents& events, const record::RankIteration& rank) {
  for (std::size_t i = 0; i < rank.training->buckets.size(); ++i) {
    const record::RankBucket& bucket = rank.training->buckets[i];
    events.span(kBuckets, fmt::format("bucket {}", i), bucket.start - rank.start,
                bucket.end - rank.start);
  }
}

/// Adds a span per lane and step. Steps may overlap; each is shown from where the one before ends.
void add_lanes(RankEvents& events, std::span<const record::TracedTransfer> transfers) {
  struct Times {
    Nanoseconds from = Nanoseconds::max();
    Nanoseconds to = Nanoseconds::min();
  };
  std::map<std::pair<std::size_t, std::size_t>, Times> steps;
  for (const record::TracedTransfer& transfer : transfers) {
    Times& times = steps[{transfer.lane, transfer.step}];
    times.from = std::min(times.from, transfer.posted);
    times.to = std::max(times.to, transfer.done);
  }
  std::size_t lane = 0;
  Nanoseconds before = Nanoseconds::min();
  for (const auto& [place, times] : steps) {
    if (place.first != lane) before = Nanoseconds::min();
    lane = place.first;
    events.span(kLanes + lane, fmt::format("step {}", place.second), std::max(times.from, before),
                times.to);
    before = std::max(before, times.to);
  }
}

json metadata(const char* what, std::size_t process, std::size_t track, const json& arguments) {
  return {{"ph", "M"}, {"pid", process}, {"tid", track}, {"name", what}, {"args", arguments}};
}

}  // namespace

TraceWindow parse_trace_window(const std::string& text) {
  TraceWindow window;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, window.first);
  window.last = window.first;
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == ':') {
    read = std::from_chars(read.ptr + 1, end, window.last);
  }
  if (read.ec != std::errc() || read.ptr != end || window.last < window.first) {
    throw InputError(fmt::format("expected iterations such as 10:20 or 10, found '{}'", text));
  }
  return window;
}

void TraceFile::add(const TracedPoint& point, std::size_t iteration, double dilation,
                    std::span<const record::RankIteration> ranks) {
  for (const record::RankIteration& rank : ranks)
    origin_ = std::min(origin_.value_or(rank.start), rank.start);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const record::RankIteration& rank = ranks[i];
    const std::size_t id = process(point, i);
    RankEvents events(events_, id, rank.start - *origin_, dilation);
    const bool computes = point.profile != nullptr &&
                          std::ranges::find(point.servers, Rank(i)) == point.servers.end();
    if (computes) name_track(id, kComputing, "computing");
    if (computes) add_computing(events, *point.profile, dilation);
    name_track(id, kBuckets, point.profile != nullptr ? "buckets" : "synchronization");
    if (rank.training) {
      add_buckets(events, rank);
    } else {
      events.span(kBuckets, fmt::format("iteration {}", iteration), Nanoseconds(0),
                  rank.end - rank.start);
    }
    for (const record::TracedTransfer& transfer : rank.transfers) {
      name_track(id, kLanes + transfer.lane, fmt::format("lane {}", transfer.lane));
    }
    add_lanes(events, rank.transfers);
    add_ports(id, rank.start - *origin_, dilation, size_of(point.configuration.type),
              rank.transfers);
  }
}

void TraceFile::add_ports(std::size_t process, Nanoseconds start, double dilation,
                          std::size_t element_bytes,
                          std::vector<record::TracedTransfer> transfers) {
  std::ranges::stable_sort(transfers, {}, &record::TracedTransfer::posted);
  RankEvents events(events_, process, start, dilation);
  std::map<std::size_t, std::vector<Nanoseconds>> busy_until;  // by first track: of each row
  for (const record::TracedTransfer& transfer : transfers) {
    const std::size_t port = transfer.peer.via.index();
    const std::size_t first = kPorts + (2 * port + (transfer.sends ? 0 : 1)) * kRows;
    std::vector<Nanoseconds>& rows = busy_until[first];
    const auto free =
        std::ranges::find_if(rows, [&](Nanoseconds until) { return until <= transfer.posted; });
    const auto row = static_cast<std::size_t>(free - rows.begin());
    if (free == rows.end()) rows.emplace_back();
    rows[row] = transfer.done;
    const std::size_t track = first + std::min(row, kRows - 1);
    name_track(process, track,
               fmt::format("port {} {}", port, transfer.sends ? "sends" : "receives"));
    events.span(
        track,
        fmt::format("{} rank {}", transfer.sends ? "to" : "from", transfer.peer.rank.index()),
        transfer.posted, transfer.done,
        {{"bytes", transfer.elements * element_bytes},
         {"bucket", transfer.bucket},
         {"lane", transfer.lane},
         {"step", transfer.step}});
  }
}

std::size_t TraceFile::process(const TracedPoint& point, std::size_t rank) {
  const std::pair key(point.configuration.point, rank);
  const auto known = std::ranges::find(processes_, key);
  const auto id = static_cast<std::size_t>(known - processes_.begin());
  if (known != processes_.end()) return id;
  processes_.push_back(key);
  const record::Configuration& c = point.configuration;
  const std::string name =
      fmt::format("{} on {}, {}: rank {}", c.algorithm, c.wiring, c.schedule, rank);
  events_.push_back(metadata("process_name", id, 0, {{"name", name}}));
  events_.push_back(metadata("process_sort_index", id, 0, {{"sort_index", id}}));
  return id;
}

void TraceFile::name_track(std::size_t process, std::size_t track, const std::string& name) {
  if (!tracks_.emplace(process, track).second) return;
  events_.push_back(metadata("thread_name", process, track, {{"name", name}}));
  events_.push_back(metadata("thread_sort_index", process, track, {{"sort_index", track}}));
}

void TraceFile::write(const std::filesystem::path& path) const {
  text::write_output_file(path, json{{"displayTimeUnit", "ms"}, {"traceEvents", events_}}.dump());
}

}  // namespace gradwire::report
