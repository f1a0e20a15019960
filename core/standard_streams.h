#pragma once

namespace gradwire {

/// Opens /dev/null as each of standard input, output and error that is closed. Without it, the next
/// file that the program opens would take that descriptor, and messages would be written into it.
/// Call it first thing in main. Throws SystemError.
void open_standard_streams();

/// Makes /dev/null of the standard streams and closes every other descriptor but `kept`, which may
/// be negative. For a forked process that continues without its parent's files. Async-signal-safe.
void drop_descriptors_except(int kept) noexcept;

}  // namespace gradwire
