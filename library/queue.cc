#include "library/queue.h"

#include <system_error>
#include <utility>

#include "core/error.h"

namespace gradwire::library {

void Started::wait() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return is_done_; });
  if (failure_) std::rethrow_exception(failure_);
}

bool Started::is_done() const {
  const std::scoped_lock lock(mutex_);
  return is_done_;
}

void Started::finish(std::exception_ptr failure) {
  const std::scoped_lock lock(mutex_);
  failure_ = std::move(failure);
  is_done_ = true;
  done_.notify_all();
}

Queue::~Queue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    for (const Task& task : tasks_) {
      task.started->finish(
          std::make_exception_ptr(FabricError(FabricFailure::cancelled, {.rank = job_.self()},
                                              "the job was left before this collective began")));
    }
    tasks_.clear();
  }
  news_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<Started> Queue::start(const Call& call, void* memory) {
  auto started = std::make_shared<Started>();
  const std::scoped_lock lock(mutex_);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread(&Queue::serve, this);
    } catch (const std::system_error& error) {
      throw SystemError("start a thread for collectives", error.code().value());
    }
  }
  tasks_.push_back({.call = call, .memory = memory, .started = started});
  news_.notify_all();
  return started;
}

void Queue::await_idle() {
  std::unique_lock lock(mutex_);
  news_.wait(lock, [this] { return tasks_.empty() && !running_; });
}

std::optional<Queue::Task> Queue::next() {
  std::unique_lock lock(mutex_);
  running_ = false;
  news_.notify_all();
  news_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
  if (stopping_) return std::nullopt;
  running_ = true;
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

void Queue::serve() {
  while (const auto task = next()) {
    std::exception_ptr failure;
    try {
      job_.run(task->call, task->memory);
    } catch (...) {
      failure = std::current_exception();
    }
    task->started->finish(failure);
  }
}

}  // namespace gradwire::library
