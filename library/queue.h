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

/// A collective that was started.
class Started {
 public:
  /// Blocks until it is done. Throws what Verification::run has thrown, and FabricError(cancelled) where the
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

/// Runs a job's collectives one after the other, in the order in which they are asked for: those that
/// are started on a thread of its own, the others on the thread that asks once nothing is before them.
/// One thread at a time uses it.
class Queue {
 public:
  /// What runs them must outlive it.
  explicit Queue(Verification& job) : job_(job) {}
  /// Waits for what runs, and drops what has not begun.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  /// Returns at once. The memory must live, and be left alone, until it is done. Throws SystemError
  /// when there is no thread.
  [[nodiscard]] std::shared_ptr<Started> start(const Call& call, void* memory);
  /// Blocks until nothing that was started is left to do.
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
