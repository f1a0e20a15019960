#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "harness/workers/control.h"

namespace gradwire::workers {

/// Ending of a worker, in words.
struct WorkerEnding {
  std::string text;          ///< "was killed by signal 9 (Killed)"
  bool with_others = false;  ///< not by itself: all are gone at once
  bool host_lost = false;    ///< its host is gone, whatever the rank itself may have said meanwhile
};

/// The workers of a session, one per rank, as the harness speaks to them. How they are started and
/// what carries the messages is up to the implementation. One thread uses it. Destroying it ends
/// all workers.
class Workers {
 public:
  virtual ~Workers() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;

  /// Sends a rank a message. False when the rank is gone. Throws SystemError.
  [[nodiscard]] virtual bool send(std::size_t rank, const ControlMessage& message) = 0;

  /// Waits at most `time` until somebody has sent a message or has ended. Returns these ranks,
  /// without those whose ending was already told. Throws SystemError.
  [[nodiscard]] virtual std::vector<std::size_t> poll(Nanoseconds time) = 0;

  /// The next message of a rank that poll() has named; nothing when it has ended instead. Throws
  /// SystemError, and InternalError for what is no message.
  [[nodiscard]] virtual std::optional<ControlMessage> receive(std::size_t rank) = 0;

  /// Ending of a rank that receive() or send() has found gone. Waits for it a moment if need be.
  [[nodiscard]] virtual WorkerEnding ending(std::size_t rank) = 0;

  /// Reason why the process of a rank neither runs nor has ended: "stands still (state T: ...)".
  /// Empty when that is not so, or cannot be seen from here.
  [[nodiscard]] virtual std::string standing(std::size_t rank) const {
    static_cast<void>(rank);
    return "";
  }

  /// Whether each has a clock of its own, to be compared with the others' now and then.
  [[nodiscard]] virtual bool clocks_differ() const { return false; }

  /// Asks all to stop; nothing can be sent afterwards. Does not wait for them.
  virtual void stop() = 0;
};

}  // namespace gradwire::workers
