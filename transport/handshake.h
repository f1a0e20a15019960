#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/fields.h"
#include "core/id.h"
#include "core/name_table.h"
#include "transport/authentication.h"

/// Messages of two processes that connect. Neither says the key; both prove that they have it:
///
///     caller                                 acceptor
///       Greeting: run, who, nonce   ------->
///                                   <-------  Challenge: nonce
///       Proof: MAC of both          ------->
///                                   <-------  Verdict: welcome or why not, MAC of both and of that
///
/// A MAC covers the whole Greeting and the Challenge, so a recorded one proves nothing under another
/// nonce, for another channel, for another purpose or in the other direction. Ranks that connect over
/// UCX know each other's nonces beforehand, and each says only its Proof.
namespace gradwire::transport {

/// Purpose of a connection.
enum class Purpose : std::uint8_t { tcp = 'T', store = 'S', ucx = 'U' };
[[nodiscard]] constexpr auto names_of(Purpose /*purpose*/) {
  return NameTable<Purpose, 3>(
      {{"tcp", Purpose::tcp}, {"store", Purpose::store}, {"ucx", Purpose::ucx}});
}

/// A caller's first message: who connects, and with whom.
struct Greeting {
  std::uint32_t lane = 0;   ///< lane of the Plan; 0 at the store
  Rank from;                ///< rank that connects
  Port via;                 ///< through which of its ports
  Rank to;                  ///< rank that it wants
  Port at;                  ///< at which of the other's ports
  std::uint32_t ranks = 0;  ///< ranks of the job, at the store
  Purpose purpose = Purpose::tcp;
  Nonce nonce{};

  friend bool operator==(const Greeting&, const Greeting&) = default;

  static constexpr auto kFields = fields(
      field("lane", &Greeting::lane), field("from", &Greeting::from), field("via", &Greeting::via),
      field("to", &Greeting::to), field("at", &Greeting::at), field("ranks", &Greeting::ranks),
      field("purpose", &Greeting::purpose), field("nonce", &Greeting::nonce));
};

/// The Greeting of the other end of the same channel, which says this nonce.
[[nodiscard]] Greeting answering(const Greeting& greeting, const Nonce& nonce);

inline constexpr std::size_t kGreetingBytes = 61;

/// "GRADWIRE", a version, the run's number, and the Greeting. The run's number is made from its key
/// and does not give it away.
[[nodiscard]] std::string encode(const Greeting& greeting, const RunKey& key);
/// Nothing when these are not the bytes of a Greeting of this version for the key's run. That it is
/// the right run is no proof yet: everybody on the wire hears its number.
[[nodiscard]] std::optional<Greeting> decode_greeting(std::string_view bytes, const RunKey& key);
/// Whether these are the bytes of a Greeting of this version, for whatever run.
[[nodiscard]] bool is_greeting(std::string_view bytes);

/// The acceptor's answer to a Greeting.
struct Challenge {
  bool is_of_run = true;  ///< else the acceptor has another key, and closes the connection
  Nonce nonce{};

  static constexpr auto kFields =
      fields(field("is_of_run", &Challenge::is_of_run), field("nonce", &Challenge::nonce));
};

inline constexpr std::size_t kChallengeBytes = 1 + sizeof(Nonce);
[[nodiscard]] std::string encode(const Challenge& challenge);
/// Nothing for what is no Challenge.
[[nodiscard]] std::optional<Challenge> decode_challenge(std::string_view bytes);

/// All that was said before anybody proves anything.
struct Opening {
  std::string greeting;  ///< its bytes
  Nonce challenge{};
};

/// The MAC by which the caller proves that it has the key.
[[nodiscard]] Mac proof_of_caller(const RunKey& key, const Opening& opening);
/// Whether these bytes are that proof.
[[nodiscard]] bool is_proof_of_caller(std::string_view bytes, const RunKey& key,
                                      const Opening& opening);

/// The acceptor's decision about a caller that has the key.
enum class Judgement : std::uint8_t {
  welcome = 'W',  ///< the connection is the channel's, or the member's
  unknown = 'U',  ///< the acceptor's Plan has no such channel, or not at this port
  taken = 'T',    ///< there is a connection of this channel or rank already
  others = 'O',   ///< the acceptor's job has another number of ranks
};
[[nodiscard]] constexpr auto names_of(Judgement /*judgement*/) {
  return NameTable<Judgement, 4>({{"welcome", Judgement::welcome},
                                  {"unknown", Judgement::unknown},
                                  {"taken", Judgement::taken},
                                  {"others", Judgement::others}});
}

/// The acceptor's answer.
struct Verdict {
  Judgement judgement = Judgement::welcome;
  std::uint32_t ranks = 0;  ///< ranks of the store's job; 0 of another acceptor
  Nonce job{};              ///< the number of the store's job, for who is welcome there

  friend bool operator==(const Verdict&, const Verdict&) = default;

  static constexpr auto kFields =
      fields(field("judgement", &Verdict::judgement), field("ranks", &Verdict::ranks),
             field("job", &Verdict::job));
};

inline constexpr std::size_t kVerdictBytes = 5 + sizeof(Nonce) + sizeof(Mac);
/// The verdict, and the acceptor's proof that it has the key and judges this caller.
[[nodiscard]] std::string encode(const Verdict& verdict, const RunKey& key, const Opening& opening);
/// Nothing when whoever sent this does not have the key.
[[nodiscard]] std::optional<Verdict> decode_verdict(std::string_view bytes, const RunKey& key,
                                                    const Opening& opening);

}  // namespace gradwire::transport
