#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <vector>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "library/pytorch/job.h"

namespace gradwire::pytorch {

/// An operation of a process group that was started. It holds its tensors, and nothing of the group, so
/// that it may outlive it.
class Work final : public c10d::Work {
 public:
  /// `outputs` is what its future has once it is done. `job` is given up when somebody who waits for it
  /// is interrupted.
  Work(c10d::OpType type, std::vector<at::Tensor> outputs, const Job& job);

  /// Says that it is done, or why it failed, to those that wait for it. Does not throw.
  void finish(std::exception_ptr failure) noexcept;
  /// Tells the future, after finish(): whoever has asked for that is called on this thread. Does not
  /// throw.
  void tell_future() noexcept;

  /// Blocks until it is done and its future knows, or until the time is over. Throws what it failed
  /// with, and what a signal's handler in Python throws, as at Ctrl-C.
  bool wait(std::chrono::milliseconds timeout) override;
  std::vector<at::Tensor> result() override { return outputs_; }
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override { return future_; }

 private:
  std::weak_ptr<gradwire_job> job_;
  std::vector<at::Tensor> outputs_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

}  // namespace gradwire::pytorch
