#pragma once

#include <cstddef>
#include <optional>
#include <source_location>
#include <stdexcept>
#include <string>

#include "core/id.h"

/// Two families of errors.
///
/// FabricError: the fabric failed. A peer died, went silent, or a link went down. The program is
/// right and its input was valid; running again may succeed. It says where.
///
/// Everything else: the program or its input is wrong. InputError is a mistake that a user can mend
/// (it carries file, line and column if there is a file); SystemError is a refusal of the operating
/// system with the operands of the call; InternalError is a bug of ours.
namespace gradwire {

/// The place where the fabric failed: every part that is known.
struct FabricPlace {
  std::optional<Rank> rank;         ///< the rank that noticed
  std::optional<Rank> peer;         ///< the rank it was talking to
  std::optional<Port> port;         ///< its own port that it used
  std::optional<std::size_t> lane;  ///< number of the lane
  std::optional<std::size_t> step;  ///< number of the step in the lane

  friend bool operator==(const FabricPlace&, const FabricPlace&) = default;
};

/// The ways in which the fabric fails.
enum class FabricFailure {
  peer_closed,  ///< the peer's end of the connection is gone
  stalled,      ///< nothing moved until the deadline
  cancelled,    ///< somebody else failed first
  refused,      ///< connecting to a peer or agreeing with it failed
  link_down,    ///< the link of the rank's own port is down
  corrupted,    ///< the bytes that arrived are not those that were sent
  unanswered,   ///< the peer acknowledges none of the bytes sent to it
};

/// The failure in words: "peer closed", "stalled", "cancelled", "refused", "link down", "corrupted"
/// or "no answer".
[[nodiscard]] std::string to_string(FabricFailure failure);
/// The place in words, without its unknown parts: "rank 3, port 1, peer 7, lane 0, step 12".
[[nodiscard]] std::string to_string(const FabricPlace& place);

/// A failure of the fabric. what() reads "rank 3, peer 7: stalled: <detail>".
class FabricError : public std::runtime_error {
 public:
  FabricError(FabricFailure failure, FabricPlace place, const std::string& detail);

  /// The way in which the fabric failed.
  [[nodiscard]] FabricFailure failure() const { return failure_; }
  /// The place where it failed, as far as it is known.
  [[nodiscard]] const FabricPlace& place() const { return place_; }
  /// The description of the failure, without the place.
  [[nodiscard]] const std::string& detail() const { return detail_; }

 private:
  FabricFailure failure_;
  FabricPlace place_;
  std::string detail_;
};

/// A place in a text file. Line and column count from 1; 0 means unknown. An empty file means that
/// there is no place.
struct SourcePlace {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// A mistake in the user's input. what() reads "file:line:column: message".
class InputError : public std::runtime_error {
 public:
  /// An error in input that no file holds, such as a command-line option.
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  /// An error in a file; without a file what() is the message alone.
  InputError(const SourcePlace& place, const std::string& message);

  /// Whether what() begins with a place.
  [[nodiscard]] bool has_place() const { return has_place_; }

 private:
  bool has_place_ = false;
};

/// A refusal of the operating system. what() names the operation with its operands, errno's text
/// and, if known, the limit that was reached.
class SystemError : public std::runtime_error {
 public:
  /// `operation` names the call and its operands: "open /proc/self/stat". `error_number` is an
  /// errno.
  SystemError(const std::string& operation, int error_number);
  /// The errno that the call ended with.
  [[nodiscard]] int error_number() const { return error_number_; }

 private:
  int error_number_;
};

/// A broken invariant of this program: a bug.
class InternalError : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws InternalError with the caller's place: "bug at core/plan.cc:48: expected that <what>".
/// `what` continues "expected that": "a rank has one role in all stages".
[[noreturn]] void throw_bug(const char* what,
                            std::source_location where = std::source_location::current());

/// Throws like throw_bug() unless `holds`. It stays on in release builds. If it holds, it costs a
/// branch and allocates nothing.
inline void ensure(bool holds, const char* what,
                   std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    throw_bug(what, where);
}

/// Returns the result of a system call, or throws SystemError when it is -1:
/// `int fd = checked(::open(path, flags), "open " + path);`
int checked(int result, const std::string& operation);

}  // namespace gradwire
