#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "harness/workers/mpi/mpi_channel.h"
#include "transport/cancellation.h"
#include "transport/rendezvous.h"

namespace gradwire::workers {

/// The Rendezvous of workers that mpirun has started: rank 0 gathers and hands out. Waits leave the
/// core to others. Their deadline is the harness's, which hears from rank 0 who is missing.
class MpiRendezvous final : public transport::Rendezvous {
 public:
  /// Called on rank 0 about once a second while it waits for some ranks, with these; and with none,
  /// now and then, when all have met.
  using Report = std::function<void(std::span<const Rank>)>;

  /// The references must outlive it.
  MpiRendezvous(MpiChannel& channel, const transport::Cancellation& cancellation,
                const Clock& clock, Report report);

  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override;
  void barrier() override;

  /// Blocks until a message has come. Throws FabricError when it is cancelled.
  [[nodiscard]] MpiChannel::Message await(std::optional<Rank> from);

 private:
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine);
  void report_missing(const std::vector<std::optional<std::string>>& all, TimePoint since);
  void report_met();
  void throw_if_cancelled() const;

  MpiChannel& channel_;
  const transport::Cancellation& cancellation_;
  const Clock& clock_;
  Report report_;
  TimePoint reported_;
};

}  // namespace gradwire::workers
