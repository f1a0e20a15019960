#pragma once

#include "core/file_descriptor.h"

namespace gradwire {

/// What is written to one end can be read from the other. Programs that are executed have neither.
struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

/// Throws SystemError.
[[nodiscard]] Pipe make_pipe();

}  // namespace gradwire
