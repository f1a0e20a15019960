#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/plan.h"
#include "core/units.h"
#include "topologies/topology.h"
#include "transport/tcp/channel.h"

/// What one run of the suite is made of, drawn from a seed.
namespace gradwire::faults {

/// The meetings of a rank, in order: agreeing on Plans, telling where it listens, being connected,
/// and then one before and one after each execution.
inline constexpr std::size_t kAgreeing = 0;
inline constexpr std::size_t kListening = 1;
inline constexpr std::size_t kConnected = 2;
inline constexpr std::size_t kFirstExecution = 3;

/// When a rank does something to itself: as it comes to a meeting or leaves it, or as it posts an
/// operation, counted over all lanes and executions.
struct Moment {
  enum class At : std::uint8_t { coming, leaving, operation } at = At::operation;
  std::size_t number = 0;
};

/// What a rank does to itself.
struct RankFault {
  enum class What : std::uint8_t { dies, stops, pauses } what = What::dies;
  Rank rank;
  Moment when;
  Nanoseconds pause{};
};

/// What happens to what one rank sends another over one connection. That is cut into units: two of
/// the handshake, then frames.
struct StreamFault {
  enum class What : std::uint8_t {
    flip,      ///< `bits` of the unit change
    swap,      ///< it comes behind the next one
    repeat,    ///< it comes twice
    replay,    ///< unit `other`, an earlier one, comes in its place
    drop,      ///< it does not come
    truncate,  ///< its first `kept` bytes come, then the next unit
    cut,       ///< the same, and then the connection closes
    delay,     ///< it comes later
    silence,   ///< the same bytes, and then nothing any more
  } what = What::flip;
  Rank caller;
  transport::tcp::ChannelName channel;  ///< as the caller knows it
  bool to_caller = false;               ///< meets what the acceptor sends
  std::size_t unit = 0;
  std::vector<std::size_t> bits;
  std::size_t other = 0;
  std::size_t kept = 0;
  Nanoseconds delay{};
  bool every_time = false;          ///< on every connection of the channel, not once
  std::vector<std::size_t> frames;  ///< bytes of each frame of an execution, with its check
};

/// A value in a rank's gradient that is not its own.
struct Poison {
  Rank rank;
  std::size_t execution = 0;
  std::size_t element = 0;
  float value = 0;
};

/// A rank that makes another Plan than the others.
struct OddPlan {
  Rank rank;
  std::string algorithm;
  std::size_t elements = 0;
};

/// Who else comes to a rank's doors while ranks connect.
struct Visit {
  enum class Who : std::uint8_t {
    strangers,    ///< of every kind, who do not have the key
    crowd,        ///< hundreds who say nothing
    first_claim,  ///< somebody with the key, who takes a channel before its rank comes
    late_claim,   ///< the same after it
    odd_claim,    ///< somebody with the key, who claims what there is not
    other_run,    ///< somebody with another run's key
  } who = Who::strangers;
  Rank door;   ///< whom they want
  Rank guide;  ///< who has a channel there, and brings them
  Rank claimed;
  transport::tcp::ChannelName channel;  ///< that is claimed, as its caller would know it
  std::size_t count = 0;                ///< of strangers
  std::uint64_t seed = 0;               ///< of what strangers say
};

/// How a run must end.
enum class Must : std::uint8_t {
  complete,     ///< with right sums
  name_rank,    ///< one of the culprits is named first
  name_all,     ///< the same, and all of them are listed
  name_link,    ///< the place is an end of the channel that the fault, or the claim, is about
  name_odd,     ///< the Plan of the culprit is refused
  count_wrong,  ///< verification counts every wrong element, and no other
};
[[nodiscard]] std::string_view to_string(Must must);

struct Scenario {
  std::size_t number = 0;
  std::string wiring;
  std::string algorithm;
  std::size_t elements = 0;
  std::size_t executions = 2;
  std::shared_ptr<const topologies::Topology> topology;
  std::vector<Plan> plans;
  std::vector<Rank> contributors;

  bool check_frames = true;
  bool deaths_are_seen = true;  ///< else only the fabric tells that a rank died
  Nanoseconds stall = std::chrono::seconds(10);
  Nanoseconds connecting = std::chrono::seconds(10);
  Nanoseconds meeting = std::chrono::seconds(15);

  std::vector<RankFault> rank_faults;
  std::optional<StreamFault> stream;
  std::optional<Poison> poison;
  std::optional<OddPlan> odd_plan;
  std::optional<Visit> visit;
  bool clock_jumps = false;

  Must must = Must::complete;
  std::vector<Rank> culprits;

  [[nodiscard]] std::size_t ranks() const { return plans.size(); }
};

/// "ring on single-switch(5), 1234 elements, 2 executions: rank 3 dies at operation 17".
[[nodiscard]] std::string describe(const Scenario& scenario);

}  // namespace gradwire::faults
