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

  [[nodiscard]] std::span<const std::shared_ptr<CompletionQueue>> queues() const { return queues_; }

  /// To be called before the last look at the queues and rest().
  void arm();
  /// Blocks for at most `most`, or until something may have happened since arm().
  void rest(Nanoseconds most);
  /// Whether `queue`'s device has raised its alarm; told once, for it stays raised. rest() takes
  /// the devices' events.
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
