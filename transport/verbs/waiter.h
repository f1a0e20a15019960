#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <poll.h>

#include "core/units.h"
#include "transport/cancellation.h"
#include "transport/verbs/completion_queue.h"

namespace gradwire::transport::verbs {

/// Waiter for a completion, a failure of a device, or a cancellation; it sleeps meanwhile.
/// Allocates only when made.
class Waiter {
 public:
  /// Waits for one lane: `queues` by port. The cancellation must outlive it. With `poll`, it yields
  /// the processor instead of sleeping.
  Waiter(std::vector<std::shared_ptr<CompletionQueue>> queues, const Cancellation& cancellation,
         bool poll);

  /// The lane's completion queues, by port.
  [[nodiscard]] std::span<const std::shared_ptr<CompletionQueue>> queues() const { return queues_; }

  /// Asks for notice of completions. The queues must be polled once more between this and rest(),
  /// as earlier completions give no notice.
  void arm();
  /// Blocks for at most `most`, or until something may have happened since arm(). Takes the
  /// devices' events.
  void rest(Nanoseconds most);
  /// Whether rest() has found that the device of this queue has raised its alarm. True only once,
  /// as the alarm stays raised.
  [[nodiscard]] bool take_alarm(std::size_t queue);

 private:
  static constexpr std::size_t kPerQueue = 3;  ///< completions, events, alarm

  void look(Nanoseconds most);

  std::vector<std::shared_ptr<CompletionQueue>> queues_;
  std::vector<pollfd> polled_;  ///< kPerQueue by queue, then the cancellation
  bool poll_;
  unsigned yields_ = 0;
};

}  // namespace gradwire::transport::verbs
