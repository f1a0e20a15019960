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

/// Sleeps until a completion, a failure of a device, or a cancellation. Allocates only when made.
class Waiter {
 public:
  /// For one lane: `queues` by port. The cancellation must outlive it. With `poll` it never sleeps
  /// but yields the processor.
  Waiter(std::vector<std::shared_ptr<CompletionQueue>> queues, const Cancellation& cancellation,
         bool poll);

  /// The lane's completion queues, by port.
  [[nodiscard]] std::span<const std::shared_ptr<CompletionQueue>> queues() const { return queues_; }

  /// Asks for notice of completions. Look at the queues once more between this and rest(): what
  /// came before it gives no notice.
  void arm();
  /// Blocks for at most `most`, or until something may have happened since arm(). Takes the
  /// devices' events.
  void rest(Nanoseconds most);
  /// Whether rest() has found that the device of this queue has raised its alarm. True once only,
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
