#pragma once

namespace gradwire {

/// Sets signals as the program needs them, whatever its starter ignored or blocked. A child's end
/// can be waited for; a reader that went away, and a file that is as large as the user allows, are
/// errors of the next write; and no signal is blocked. Call it in main, before threads are started.
void set_signals() noexcept;

}  // namespace gradwire
