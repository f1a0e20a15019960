#include "core/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire {
namespace {

// The next file that is opened gets no number of a stream, whichever of them were closed.
TEST(StandardStreams, AreNeverFilesOfOurs) {
  for (int closed = 0; closed < 8; ++closed) {
    const pid_t pid = checked(::fork(), "fork");
    if (pid == 0) {
      for (int stream = 0; stream < 3; ++stream) {
        if ((closed >> stream & 1) != 0) ::close(stream);
      }
      open_standard_streams();
      ::_exit(::open("/", O_RDONLY) > STDERR_FILENO && ::write(2, "", 0) == 0 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0) << closed;
  }
}

}  // namespace
}  // namespace gradwire
