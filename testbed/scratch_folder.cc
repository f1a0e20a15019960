#include "testbed/scratch_folder.h"

#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "core/empty_folder.h"
#include "core/error.h"
#include "core/random_id.h"

namespace gradwire::testbed {
namespace {

namespace fs = std::filesystem;

/// File in every scratch folder whose lock says that somebody uses the folder.
constexpr const char* kMark = "gradwire-scratch";

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

void remove_folder(const FileDescriptor& all, const FileDescriptor& folder,
                   const std::string& name) noexcept {
  // Processes that used it may still be writing: a file that comes meanwhile ends an attempt.
  constexpr int kAttempts = 20;
  for (int i = 0; i < kAttempts; ++i) {
    empty_folder(folder.get());
    if (::unlinkat(all.get(), name.c_str(), AT_REMOVEDIR) == 0 || errno == ENOENT) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

fs::path temporary_files() {
  std::error_code failure;
  fs::path all = fs::temp_directory_path(failure);
  if (failure) throw SystemError("find the folder for temporary files (TMPDIR)", failure.value());
  return all;
}

bool is_prefix(std::string_view text) {
  return text == "gw" || text.starts_with("gw-");
}

/// Whether a scratch folder can have this name.
bool is_name(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  return dash != std::string_view::npos && is_prefix(name.substr(0, dash)) &&
         is_random_id(name.substr(dash + 1));
}

/// Whether this user owns the folder and nobody else may put anything into it.
bool is_private(const FileDescriptor& folder) {
  struct stat found {};
  return ::fstat(folder.get(), &found) == 0 && found.st_uid == ::geteuid() &&
         (found.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/// Locks the mark of an abandoned folder. Returns nothing if somebody has locked it, or if
/// make_mark() did not make it so.
FileDescriptor lock_abandoned_mark(const FileDescriptor& folder) {
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  FileDescriptor mark(::openat(folder.get(), kMark, flags));
  struct stat found {};
  const bool locked = mark && ::fstat(mark.get(), &found) == 0 && S_ISREG(found.st_mode) &&
                      found.st_uid == ::geteuid() && found.st_nlink == 1 &&
                      ::flock(mark.get(), LOCK_EX | LOCK_NB) == 0;
  if (!locked) mark.reset();
  return mark;
}

/// Removes scratch folders of this user whose process is gone. Anybody can make a folder or file of
/// any name here, so the owner and mode of the opened file decide, not those of the file that has
/// the name now.
void sweep(const FileDescriptor& all, const fs::path& path) {
  std::error_code failure;
  for (fs::directory_iterator at(path, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename();
    if (!is_name(name)) continue;
    const FileDescriptor folder(::openat(all.get(), name.c_str(), kFolder));
    if (!folder || !is_private(folder)) continue;
    if (const FileDescriptor mark = lock_abandoned_mark(folder)) remove_folder(all, folder, name);
  }
}

/// Creates and locks a folder's mark. Returns nothing when somebody has swept the folder away.
FileDescriptor make_mark(const FileDescriptor& folder, const fs::path& path) {
  const std::string mark = path / kMark;
  const int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  FileDescriptor file(checked(::openat(folder.get(), kMark, flags, 0600), "create " + mark));
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
  ensure(is_prefix(prefix), "a scratch folder is told by its name");
  const fs::path all = temporary_files();
  all_ = FileDescriptor(
      checked(::open(all.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), "open " + all.string()));
  sweep(all_, all);
  for (;;) {
    const std::string name = prefix + "-" + random_id();
    path_ = all / name;
    unfinished_ = std::make_unique<Unfinished>(path_);
    if (::mkdirat(all_.get(), name.c_str(), 0700) != 0) {
      if (errno == EEXIST) continue;
      throw SystemError("create " + path_.string(), errno);
    }
    folder_ = FileDescriptor(
        checked(::openat(all_.get(), name.c_str(), kFolder), "open " + path_.string()));
    mark_ = make_mark(folder_, path_);
    if (mark_) return;
    // Somebody swept it away before it was locked.
  }
}

ScratchFolder::~ScratchFolder() {
  remove_folder(all_, folder_, path_.filename());
}

}  // namespace gradwire::testbed
