#pragma once

#include <atomic>

#include "core/clock.h"
#include "harness/workers/mpi/mpi_channel.h"
#include "harness/workers/mpi/mpi_rendezvous.h"
#include "harness/workers/rank/meeting.h"
#include "transport/cancellation.h"

namespace gradwire::workers {

/// The machine's monotonic clock, moved. Any thread reads it.
class MovedClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() const override { return clock_.now() + Nanoseconds(by_.load()); }
  void move(Nanoseconds by) { by_ += by.count(); }

 private:
  SteadyClock clock_;
  std::atomic<Nanoseconds::rep> by_ = 0;
};

/// Workers that mpirun has started meet over MPI.
class MpiMeeting final : public Meeting {
 public:
  /// The references must outlive it; `control` is where rank 0 reports who is missing.
  MpiMeeting(MpiChannel& channel, int control, const transport::Cancellation& cancellation);

  [[nodiscard]] transport::Rendezvous& rendezvous() override { return rendezvous_; }
  [[nodiscard]] const Clock& clock() const override { return clock_; }

  /// Rank 0 asks each rank for its time, some tens of times, and takes the answer that came back
  /// fastest to be from the middle of the way:
  ///
  ///     rank 0   ── asked ──────────────────── answered ──>   offset = (asked + answered)/2 -
  ///     theirs rank r   ────────────── theirs ───────────────────>   off by at most (answered -
  ///     asked)/2
  Nanoseconds agree_on_time() override;

 private:
  [[nodiscard]] Nanoseconds time_others();
  [[nodiscard]] Nanoseconds be_timed();

  MpiChannel& channel_;
  MovedClock clock_;
  MpiRendezvous rendezvous_;
};

}  // namespace gradwire::workers
