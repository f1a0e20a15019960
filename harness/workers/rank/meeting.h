#pragma once

#include "core/clock.h"
#include "core/id.h"
#include "transport/rendezvous.h"

namespace gradwire::workers {

/// Way in which a worker meets the others beside its control connection, and their shared time.
class Meeting {
 public:
  virtual ~Meeting() = default;

  /// Place where the ranks find each other. Valid as long as the meeting.
  [[nodiscard]] virtual transport::Rendezvous& rendezvous() = 0;

  /// The clock that all ranks' times are on. Valid as long as the meeting.
  [[nodiscard]] virtual const Clock& clock() const = 0;

  /// Compares this rank's clock with rank 0's and corrects it from now on. Collective; not while
  /// anything is measured. Returns how far it may still be off. Throws FabricError.
  virtual Nanoseconds agree_on_time() = 0;
};

}  // namespace gradwire::workers
