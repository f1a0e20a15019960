#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "library/verification.h"

namespace gradwire::library {

/// Collective that was started.
class Started {
 public:
  /// Blocks until it is done. Throws as Verification::run has, and FabricError(cancelled) where the
  /// job was left before it began.
  void wait();
  /// Whether it is done.
  [[nodiscard]] bool is_done() const;

 private:
  friend class Queue;
  void finish(std::exception_ptr failure);

  mutable std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::exception_ptr failure_;
};

/// Runner of a job's collectives, one after the other in the order of the calls: started ones on a
/// thread of its own, the others on the calling thread once nothing is before them. One thread at a
/// time uses it.
class Queue {
 public:
  /// Takes the runner of collectives, which must outlive it.
  explicit Queue(Verification& job) : job_(job) {}
  /// Waits for the running collective, and drops those that have not begun.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Starts a collective and returns at once. The memory must live, and be left alone, until it is
  /// done. Throws SystemError when no thread can be started.
  [[nodiscard]] std::shared_ptr<Started> start(const Call& call, void* memory);
  /// Blocks until no started collective is left to do.
  void await_idle();

 private:
  struct Task {
    Call call;
    void* memory = nullptr;
    std::shared_ptr<Started> started;
  };

  void serve();
  /// Blocks until there is a task. Nothing when no other will be run.
  [[nodiscard]] std::optional<Task> next();

  Verification& job_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Task> tasks_;
  bool running_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace gradwire::library
