#pragma once

#include <functional>
#include <memory>

namespace gradwire::pytorch {

/// What a line does for somebody. Neither part may throw.
struct Task {
  std::function<void()> run;   ///< after all that was added before has run
  std::function<void()> then;  ///< after run, beside what comes later: it may wait for that
};

/// Runs tasks one after the other, in the order in which they are added, on threads of its own: one, and
/// further ones for what is added while the `then` of another goes on.
class TaskLine {
 public:
  TaskLine();
  /// Blocks until all that was added is done. On a thread of its own it leaves that to the others, and in
  /// a process that was forked from the one that made it, it does nothing.
  ~TaskLine();
  TaskLine(const TaskLine&) = delete;
  TaskLine& operator=(const TaskLine&) = delete;

  /// Returns at once. Any thread may add. Throws std::system_error when there is no thread.
  void add(Task task);

 private:
  struct State;
  std::shared_ptr<State> state_;  ///< shared with the threads
};

}  // namespace gradwire::pytorch
