#include "library/pytorch/work.h"

#include <mutex>
#include <utility>

#include <pybind11/pybind11.h>

namespace gradwire::pytorch {
namespace {

/// Longest time until a signal, or the end of a wait, is noticed.
constexpr std::chrono::milliseconds kBetweenLooks(100);

/// The exception of a signal's handler in Python, on the thread that runs handlers; else null.
std::exception_ptr interrupted() {
  if (Py_IsInitialized() == 0) return nullptr;
  const pybind11::gil_scoped_acquire python;
  if (PyErr_CheckSignals() == 0) return nullptr;
  return std::make_exception_ptr(pybind11::error_already_set());
}

}  // namespace

Work::Work(c10d::OpType type, std::vector<at::Tensor> outputs, const Job& job)
    : c10d::Work(-1, type),
      job_(job),
      outputs_(std::move(outputs)),
      future_(
          c10::make_intrusive<c10::ivalue::Future>(c10::ListType::create(c10::TensorType::get()))) {
}

void Work::finish(std::exception_ptr failure) noexcept {
  c10d::Work::finish(std::move(failure));
}

bool Work::wait(std::chrono::milliseconds timeout) {
  const auto until = std::chrono::steady_clock::now() + timeout;
  std::unique_lock lock(mutex_);
  while (!cv_.wait_for(lock, kBetweenLooks, [this] { return completed_; })) {
    lock.unlock();
    if (const std::exception_ptr interrupt = interrupted()) {
      if (const Job job = job_.lock()) gradwire_abort(job.get());
      std::rethrow_exception(interrupt);
    }
    TORCH_CHECK(timeout == kNoTimeout || std::chrono::steady_clock::now() < until,
                "gradwire: ", c10d::opTypeToString(opType_), " is not done within ",
                timeout.count(), " ms");
    lock.lock();
  }
  if (exception_) std::rethrow_exception(exception_);
  lock.unlock();
  future_->wait();  // not for those that it calls
  return true;
}

void Work::tell_future() noexcept {
  try {
    if (const std::exception_ptr failure = exception()) {
      future_->setError(failure);
    } else {
      future_->markCompleted(c10::IValue(outputs_));
    }
  } catch (const std::exception& error) {
    // Those that were called have failed. They have futures of their own to say so.
    TORCH_WARN("gradwire: a callback has failed: ", error.what());
  }
}

}  // namespace gradwire::pytorch
