#include "core/standard_streams.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire {
namespace {

// Linux before 5.9 lacks close_range, and a container may refuse it. What follows takes its place. It
// reads a folder by system calls alone, as a process that was forked from several threads must.

/// The kernel's form of an entry of a folder (getdents64).
struct Entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t size;
  std::uint8_t type;
};
constexpr std::size_t kNameInEntry = offsetof(Entry, type) + sizeof(Entry::type);

/// The number that the text is; -1 when it is none, as with "." and "..".
int number_of(const char* text) noexcept {
  if (*text == '\0') return -1;
  int number = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return -1;
    number = number * 10 + (*text - '0');
  }
  return number;
}

/// Closes the descriptors from `first` on that this part of a folder's entries names, but `kept` and
/// the folder's own. Returns how many those are.
int close_those_in(const char* entries, long size, int first, int kept, int folder) noexcept {
  int closed = 0;
  Entry entry{};
  for (long at = 0; at < size; at += entry.size) {
    std::memcpy(&entry, entries + at, sizeof entry);
    const int fd = number_of(entries + at + kNameInEntry);
    if (fd < first || fd == kept || fd == folder) continue;
    if (::close(fd) == 0) ++closed;
  }
  return closed;
}

/// Closes the descriptors from `first` on that /proc lists, but `kept`. Returns whether it lists any.
bool close_listed(int first, int kept) noexcept {
  const int folder = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  alignas(Entry) char entries[4096];
  for (int closed = 1; closed > 0;) {  // again, as entries may move up when others vanish
    closed = 0;
    ::lseek(folder, 0, SEEK_SET);
    long size = 0;
    while ((size = ::syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
      closed += close_those_in(entries, size, first, kept, folder);
    }
  }
  ::close(folder);
  return true;
}

/// Closes all that the process may have open from `first` on, but `kept`.
void close_up_to_limit(int first, int kept) noexcept {
  constexpr rlim_t kMost = 1 << 20;  // as many as Linux allows, unless root raises fs.nr_open
  rlimit limit{.rlim_cur = kMost, .rlim_max = kMost};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min(limit.rlim_max, kMost));
  for (int fd = first; fd < end; ++fd) {
    if (fd != kept) ::close(fd);
  }
}

bool close_range(int first, unsigned last) noexcept {
  return static_cast<unsigned>(first) > last || ::syscall(SYS_close_range, first, last, 0) == 0;
}

}  // namespace

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
  const bool below = kept <= kFirst || close_range(kFirst, static_cast<unsigned>(kept - 1));
  const bool above = close_range(kept < kFirst ? kFirst : kept + 1, ~0U);
  if ((!below || !above) && !close_listed(kFirst, kept)) close_up_to_limit(kFirst, kept);
}

}  // namespace gradwire
