#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <vector>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "library/pytorch/job.h"

namespace gradwire::pytorch {

/// Started operation of a process group. It holds its tensors, and nothing of the group, so that it
/// may outlive it.
class Work final : public c10d::Work {
 public:
  /// Takes `outputs`, which are what its future has once it is done. `job` is given up when a
  /// thread that waits for it is interrupted.
  Work(c10d::OpType type, std::vector<at::Tensor> outputs, const Job& job);

  /// Ends the operation, with its failure if it has one, and wakes those that wait for it. Does not
  /// throw.
  void finish(std::exception_ptr failure) noexcept;
  /// Completes the future, after finish(); its callbacks run on this thread. Does not throw.
  void tell_future() noexcept;

  /// Blocks until it is done and its future is complete, or until the time is over. Throws the
  /// failure of the operation, and what a signal's handler in Python throws, as at Ctrl-C.
  bool wait(std::chrono::milliseconds timeout) override;
  std::vector<at::Tensor> result() override { return outputs_; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }

 private:
  std::weak_ptr<gradwire_job> job_;
  std::vector<at::Tensor> outputs_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

}  // namespace gradwire::pytorch
