#include "core/standard_streams.h"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/refused_calls.h"

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

/// Whether descriptors 0 to 2 and `kept` are all that is open.
bool only_kept_is_open(int kept) {
  for (int fd = 0; fd < 1024; ++fd) {
    const bool is_open = ::fcntl(fd, F_GETFD) != -1;
    if (is_open != (fd <= STDERR_FILENO || fd == kept)) return false;
  }
  return true;
}

/// Drops many descriptors but one, and says whether that went well.
bool drops_all_but(int kept) {
  for (int fd = 3; fd < 400; fd += 1 + fd % 3) ::dup2(STDERR_FILENO, fd);
  if (kept >= 0) ::dup2(STDERR_FILENO, kept);
  drop_descriptors_except(kept);
  return only_kept_is_open(kept);
}

// With close_range and without it.
TEST(StandardStreams, AllOthersAreDroppedWhateverTheKernelRefuses) {
  const std::vector<testing::Refusal> refusals = testing::refusals_of({"close_range", 436});
  for (const int error : {0, ENOSYS, EPERM}) {
    for (const int kept : {-1, 1, 3, 200, 1000}) {
      const pid_t pid = checked(::fork(), "fork");
      if (pid == 0) {
        if (error != 0 && !testing::refuse(refusals[error == ENOSYS ? 0 : 1])) ::_exit(2);
        ::_exit(drops_all_but(kept) ? 0 : 1);
      }
      int status = 0;
      ASSERT_EQ(::waitpid(pid, &status, 0), pid);
      ASSERT_NE(WEXITSTATUS(status), 2) << "seccomp works here";
      EXPECT_EQ(status, 0) << "kept " << kept << ", errno " << error;
    }
  }
}

TEST(StandardStreams, AllOthersAreDroppedWithoutProc) {
  const pid_t pid = checked(::fork(), "fork");
  if (pid == 0) {
    const bool hidden = ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 &&
                        ::mount("none", "/proc", "tmpfs", 0, nullptr) == 0;
    if (!hidden || !testing::refuse(testing::refusal_of_all(ENOSYS))) ::_exit(2);
    ::_exit(drops_all_but(200) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "/proc cannot be hidden here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace gradwire
