#pragma once

namespace gradwire {

/// Opens /dev/null as each of standard input, output and error that is closed. Without it, the next
/// file that the program opens would take that descriptor, and messages would be written into it.
/// Call it first thing in main. Throws SystemError.
void open_standard_streams();

}  // namespace gradwire
