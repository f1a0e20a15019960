#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/id.h"
#include "core/plan.h"
#include "transport/authentication.h"

/// What two ranks say when they connect. Neither says the run's key; both prove that they have it:
///
///     caller                                 acceptor
///       Hello: run, channel, nonce  ------->
///                                   <-------  Challenge: nonce
///       Proof: MAC of both          ------->
///                                   <-------  Verdict: taken or why not, MAC of both and of that
///
/// A MAC covers the whole Hello and the Challenge, so a recorded one proves nothing under another
/// nonce, for another channel or in the other direction.
namespace gradwire::transport::tcp {

/// A channel as one of its ends knows it.
struct ChannelName {
  std::size_t lane = 0;
  Peer peer;
  friend auto operator<=>(const ChannelName&, const ChannelName&) = default;
};

/// What the rank that connects says first: which channel this is.
struct Hello {
  std::uint32_t lane = 0;
  Rank from;  ///< who connects
  Port via;   ///< through which of its ports
  Rank to;    ///< whom it wants
  Port at;    ///< at which of the other's ports
  Nonce nonce{};

  /// The channel as the rank that accepts knows it: the caller's ports are the other way round.
  [[nodiscard]] ChannelName channel() const {
    return {.lane = lane, .peer = {.rank = from, .via = at, .at = via}};
  }
};

inline constexpr std::size_t kHelloBytes = 56;
using HelloBytes = std::array<std::uint8_t, kHelloBytes>;

/// "GRADWIRE", a version, the run's number, the five numbers little-endian, and the nonce. The run's
/// number is made from its key and does not give it away.
[[nodiscard]] HelloBytes encode(const Hello& hello, const RunKey& key);

/// Nothing when these are not the bytes of this version's Hello for the key's run. That it is the
/// right run is no proof yet: everybody on the wire hears its number.
[[nodiscard]] std::optional<Hello> decode(const HelloBytes& bytes, const RunKey& key);

/// All that was said before anybody proves anything.
struct Opening {
  HelloBytes hello{};
  Nonce challenge{};
};

/// What the caller proves that it has the key with.
[[nodiscard]] Mac proof_of_caller(const RunKey& key, const Opening& opening);

/// What becomes of a caller that has the key.
enum class Verdict : std::uint8_t {
  welcome = 'W',  ///< the connection is the channel's
  unknown = 'U',  ///< the acceptor's Plan has no such channel, or not at this port
  taken = 'T',    ///< the channel has a connection already
};
/// "has no such channel".
[[nodiscard]] std::string_view to_string(Verdict verdict);

inline constexpr std::size_t kVerdictBytes = 1 + sizeof(Mac);
using VerdictBytes = std::array<std::uint8_t, kVerdictBytes>;

/// The verdict, and the acceptor's proof that it has the key and judges this caller.
[[nodiscard]] VerdictBytes encode(Verdict verdict, const RunKey& key, const Opening& opening);
/// Nothing when whoever sent this does not have the key.
[[nodiscard]] std::optional<Verdict> decode(const VerdictBytes& bytes, const RunKey& key,
                                            const Opening& opening);

}  // namespace gradwire::transport::tcp
