#include "library/pytorch/task_line.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <unistd.h>

#include "core/error.h"

namespace gradwire::pytorch {

struct TaskLine::State : std::enable_shared_from_this<TaskLine::State> {
  std::mutex mutex;
  std::condition_variable news;
  std::deque<Task> tasks;
  std::size_t threads = 0;
  std::size_t idle = 0;  ///< threads that wait for a task
  bool running = false;  ///< whether one is in the `run` of its task
  bool ending = false;
  const pid_t owner = ::getpid();

  /// Starts a thread when a task may begin and no thread is idle. Requires the lock.
  void provide_thread();
  /// Body of a thread.
  void serve();
  /// The next task once it may run; nothing when no other will come.
  std::optional<Task> next();
};

namespace {

/// The line that this thread belongs to.
thread_local const void* line_of_thread = nullptr;

}  // namespace

void TaskLine::State::provide_thread() {
  if (running || tasks.empty() || idle > 0) return;
  std::thread([self = shared_from_this()] { self->serve(); }).detach();
  ++threads;
}

std::optional<Task> TaskLine::State::next() {
  std::unique_lock lock(mutex);
  ++idle;
  news.wait(lock, [this] { return (!running && !tasks.empty()) || (ending && tasks.empty()); });
  --idle;
  if (tasks.empty()) return std::nullopt;
  running = true;
  Task task = std::move(tasks.front());
  tasks.pop_front();
  return task;
}

void TaskLine::State::serve() {
  line_of_thread = this;
  while (std::optional<Task> task = next()) {
    task->run();
    {
      const std::scoped_lock lock(mutex);
      running = false;
      try {
        provide_thread();
      } catch (const std::system_error&) {
        // Then this one goes on when it is done here.
      }
      news.notify_all();
    }
    task->then();
  }
  const std::scoped_lock lock(mutex);
  --threads;
  news.notify_all();
}

TaskLine::TaskLine() : state_(std::make_shared<State>()) {}

TaskLine::~TaskLine() {
  if (::getpid() != state_->owner) return;
  std::unique_lock lock(state_->mutex);
  state_->ending = true;
  state_->news.notify_all();
  if (line_of_thread == state_.get()) return;
  state_->news.wait(lock, [this] { return state_->threads == 0; });
}

void TaskLine::add(Task task) {
  const std::scoped_lock lock(state_->mutex);
  state_->tasks.push_back(std::move(task));
  try {
    state_->provide_thread();
  } catch (const std::system_error& error) {
    if (state_->threads == 0) {
      state_->tasks.pop_back();
      throw SystemError("start a thread for collectives", error.code().value());
    }
  }
  state_->news.notify_one();
}

}  // namespace gradwire::pytorch
