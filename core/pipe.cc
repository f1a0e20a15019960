#include "core/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire {

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  checked(::pipe2(ends, O_CLOEXEC), "make a pipe");
  return {.read = FileDescriptor(ends[0]), .write = FileDescriptor(ends[1])};
}

}  // namespace gradwire
