#pragma once

#include <functional>
#include <memory>

#include "harness/workers/rank/inbox.h"
#include "harness/workers/rank/meeting.h"
#include "transport/cancellation.h"

namespace gradwire::workers {

/// Ends of a worker at which the harness speaks to it.
struct WorkerEnds {
  int control;
  Inbox& inbox;
  transport::Cancellation& cancellation;
};

using MakeMeeting = std::function<std::unique_ptr<Meeting>(const WorkerEnds&)>;

/// The life of one rank: takes jobs and steps from `control` until the harness closes it, and
/// answers each. Returns the exit code. A failure is reported over `control`, with its place, and
/// ends it.
[[nodiscard]] int run_worker(int control, const MakeMeeting& make_meeting);

/// Meeting of a worker with the others over its control connection, on the clock of their machine.
[[nodiscard]] std::unique_ptr<Meeting> meet_over_control(const WorkerEnds& ends);

}  // namespace gradwire::workers
