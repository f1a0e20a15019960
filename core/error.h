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
/// Everything else: the program or its input is wrong. InputError is what a user can mend (it
/// carries file, line and column where there is a file); SystemError is a refusal of the operating
/// system with the operands of the call; InternalError is a bug of ours.
namespace gradwire {

/// Where the fabric failed: every part that is known.
struct FabricPlace {
  std::optional<Rank> rank;         ///< who noticed
  std::optional<Rank> peer;         ///< whom it was talking to
  std::optional<Port> port;         ///< through which of its own ports
  std::optional<std::size_t> lane;  ///< in which lane
  std::optional<std::size_t> step;  ///< in which step of the lane

  friend bool operator==(const FabricPlace&, const FabricPlace&) = default;
};

/// How the fabric failed.
enum class FabricFailure {
  peer_closed,  ///< the peer's end of the connection is gone
  stalled,      ///< nothing moved until the deadline
  cancelled,    ///< somebody else failed first
  refused,      ///< connecting or agreeing with a peer did not succeed
  link_down,    ///< the link of the rank's own port carries nothing
  corrupted,    ///< what arrived is not what was sent
  unanswered,   ///< the peer acknowledges nothing of what was sent to it
};

/// "peer closed", "stalled", "cancelled", "refused", "link down", "corrupted", "no answer".
[[nodiscard]] std::string to_string(FabricFailure failure);
/// "rank 3, port 1, peer 7, lane 0, step 12", leaving out what is unknown.
[[nodiscard]] std::string to_string(const FabricPlace& place);

/// The fabric failed. what() reads "rank 3, peer 7: stalled: <detail>".
class FabricError : public std::runtime_error {
 public:
  FabricError(FabricFailure failure, FabricPlace place, const std::string& detail);

  /// How the fabric failed.
  [[nodiscard]] FabricFailure failure() const { return failure_; }
  /// Where it failed, as far as that is known.
  [[nodiscard]] const FabricPlace& place() const { return place_; }
  /// What happened, without the place.
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

/// The user's input is wrong. what() reads "file:line:column: message".
class InputError : public std::runtime_error {
 public:
  /// For input that no file holds, such as a command-line option.
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
  /// For input in a file; without a file what() is the message alone.
  InputError(const SourcePlace& place, const std::string& message);

  /// Whether what() begins with a place.
  [[nodiscard]] bool has_place() const { return has_place_; }

 private:
  bool has_place_ = false;
};

/// The operating system refused: what() carries the operation with its operands, errno's text, and
/// the limit that was reached if that is known.
class SystemError : public std::runtime_error {
 public:
  /// `operation` names the call's operands: "open /proc/self/stat". `error_number` is an errno.
  SystemError(const std::string& operation, int error_number);
  /// The errno that the call ended with.
  [[nodiscard]] int error_number() const { return error_number_; }

 private:
  int error_number_;
};

/// An invariant of this program does not hold.
class InternalError : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws the InternalError "bug at core/plan.cc:48: expected that <what>", whose place is the
/// caller's. `what` goes on after "expected that": "a rank has one role in all stages".
[[noreturn]] void throw_bug(const char* what,
                            std::source_location where = std::source_location::current());

/// Throws as throw_bug() unless `holds`. Stays on in release builds. While it holds it costs a
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
