#include "core/standard_streams.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire {

void open_standard_streams() {
  // A new descriptor is always the lowest that is free.
  int opened = STDIN_FILENO;
  while (opened <= STDERR_FILENO) opened = checked(::open("/dev/null", O_RDWR), "open /dev/null");
  ::close(opened);
}

void drop_descriptors_except(int kept) noexcept {
  const int null = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
  constexpr int kFirst = STDERR_FILENO + 1;
  if (kept > kFirst) ::syscall(SYS_close_range, kFirst, kept - 1, 0);
  ::syscall(SYS_close_range, kept < kFirst ? kFirst : kept + 1, ~0U, 0);
}

}  // namespace gradwire
