#pragma once

namespace gradwire::harness {

/// The life of one rank: takes jobs and steps from `control` until the harness closes it, and
/// answers each. Returns the exit code. A failure is reported over `control`, with its place, and
/// ends it.
[[nodiscard]] int run_worker(int control);

}  // namespace gradwire::harness
