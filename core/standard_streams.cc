#include "core/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire {

void open_standard_streams() {
  // A new descriptor is always the lowest that is free.
  int opened = STDIN_FILENO;
  while (opened <= STDERR_FILENO) opened = checked(::open("/dev/null", O_RDWR), "open /dev/null");
  ::close(opened);
}

}  // namespace gradwire
