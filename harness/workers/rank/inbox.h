#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/workers/control.h"
#include "transport/cancellation.h"
#include "transport/rendezvous.h"

namespace gradwire::workers {

/// A worker's end of its control connection. A thread reads, so that the harness's end, or its wish
/// to stop, cancels whatever the worker is waiting for.
class Inbox {
 public:
  /// `control` is closed by the caller, after this object is gone; `cancellation` must outlive it.
  Inbox(int control, transport::Cancellation& cancellation);
  ~Inbox();
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  /// Blocks until the next message. Nothing once the harness has gone. Throws std::bad_alloc when
  /// there was no memory to receive it.
  [[nodiscard]] std::optional<ControlMessage> next();

 private:
  void read_all();
  /// Blocks until there is a message; false when no other will come.
  bool read_one();

  int control_;
  transport::Cancellation& cancellation_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<ControlMessage> messages_;
  bool closed_ = false;
  bool no_memory_ = false;
  std::thread reader_;
};

/// The Rendezvous of a worker: the harness gathers and hands out.
class ControlRendezvous final : public transport::Rendezvous {
 public:
  ControlRendezvous(int control, Inbox& inbox) : control_(control), inbox_(inbox) {}

  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override;
  void barrier() override;

 private:
  int control_;
  Inbox& inbox_;
};

}  // namespace gradwire::workers
