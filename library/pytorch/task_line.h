#pragma once

#include <functional>
#include <memory>

namespace gradwire::pytorch {

/// Task of a line. Neither part may throw.
struct Task {
  std::function<void()> run;   ///< runs after all tasks added before
  std::function<void()> then;  ///< runs after run, beside later tasks: it may wait for those
};

/// Runner of tasks, one after the other in the order in which they are added, on threads of its
/// own: one, and more for tasks that are added while the `then` of another goes on.
class TaskLine {
 public:
  TaskLine();
  /// Blocks until all added tasks are done. On a thread of its own it leaves that to the others,
  /// and in a process that was forked from the one that made it, it does nothing.
  ~TaskLine();
  TaskLine(const TaskLine&) = delete;
  TaskLine& operator=(const TaskLine&) = delete;

  /// Adds a task and returns at once. Any thread may call it. Throws SystemError when no thread
  /// can be started.
  void add(Task task);

 private:
  struct State;
  std::shared_ptr<State> state_;  ///< shared with the threads
};

}  // namespace gradwire::pytorch
