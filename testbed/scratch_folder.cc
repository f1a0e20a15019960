#include "testbed/scratch_folder.h"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/random_id.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

/// A file in every scratch folder, and in no other: its lock says that somebody uses the folder.
constexpr const char* kMark = "gradwire-scratch";

void remove_folder(const fs::path& folder) noexcept {
  // Whoever used it may still be clearing up: a file that vanishes meanwhile ends the removal.
  constexpr int kAttempts = 20;
  std::error_code failure;
  for (int i = 0; i < kAttempts; ++i) {
    fs::remove_all(folder, failure);
    if (!failure) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

fs::path temporary_files() {
  std::error_code failure;
  fs::path all = fs::temp_directory_path(failure);
  if (failure) throw SystemError("find the folder for temporary files (TMPDIR)", failure.value());
  return all;
}

bool is_mine(const fs::path& folder) {
  struct stat found {};
  return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
         found.st_uid == ::geteuid();
}

/// Removes scratch folders whose process is gone. Others' are not touched, nor what cannot be told
/// to be one.
void sweep(const fs::path& all) {
  std::error_code failure;
  for (fs::directory_iterator at(all, failure), end; !failure && at != end; at.increment(failure)) {
    if (!is_mine(at->path())) continue;
    const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const FileDescriptor mark(::open((at->path() / kMark).c_str(), flags));
    if (mark && ::flock(mark.get(), LOCK_EX | LOCK_NB) == 0) remove_folder(at->path());
  }
}

/// Creates and locks a folder's mark. Nothing when somebody has swept it away.
FileDescriptor make_mark(const fs::path& folder) {
  const std::string mark = folder / kMark;
  FileDescriptor file(
      checked(::open(mark.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600), mark));
  while (::flock(file.get(), LOCK_EX) == -1) {
    if (errno != EINTR) throw SystemError("lock " + mark, errno);
  }
  struct stat locked {};
  checked(::fstat(file.get(), &locked), mark);
  if (locked.st_nlink == 0) file.reset();
  return file;
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& prefix) {
  const fs::path all = temporary_files();
  sweep(all);
  for (;;) {
    const fs::path folder = all / (prefix + "-" + random_id());
    unfinished_ = std::make_unique<Unfinished>(folder);
    if (::mkdir(folder.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      throw SystemError("create " + folder.string(), errno);
    }
    mark_ = make_mark(folder);
    path_ = folder;
    if (mark_) return;
    // Somebody swept it away before it was locked.
  }
}

ScratchFolder::~ScratchFolder() {
  remove_folder(path_);
}

}  // namespace gradwire::testbed
