#pragma once

#include "core/file_descriptor.h"

namespace gradwire {

/// A pipe: bytes written to one end can be read from the other. Programs that are executed inherit
/// neither end.
struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

/// Makes a pipe. Throws SystemError.
[[nodiscard]] Pipe make_pipe();

}  // namespace gradwire
