#include "core/text/partial.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "core/empty_folder.h"
#include "core/error.h"
#include "core/random_id.h"

namespace gradwire::text {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial-";
constexpr std::size_t kIdLetters = 6;

/// The mark of an unfinished file: a user's file may have such a name, too, but hardly this bit,
/// and only the owner can set it.
constexpr mode_t kUnfinished = S_ISVTX;

FileDescriptor create(const fs::path& path, Partial::Kind kind) {
  const std::string what = "create " + path.string();
  if (kind == Partial::Kind::file) {
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    return FileDescriptor(checked(::open(path.c_str(), flags, 0666 | kUnfinished), what));
  }
  checked(::mkdir(path.c_str(), 0777 | kUnfinished), what);
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  return FileDescriptor(::open(path.c_str(), flags));  // not there: swept away already
}

/// Locks the new file or folder. Returns whether it is this process's own, and no sweep has taken
/// it. Where there are no locks there is no sweep either.
bool take(const FileDescriptor& fd) {
  if (!fd) return false;
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat found {};
  return ::fstat(fd.get(), &found) == 0 && found.st_nlink > 0;
}

void clear_away(const fs::path& path) noexcept {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

/// Removes the mark.
void finish(const FileDescriptor& fd, const fs::path& path) {
  const std::string what = "finish " + path.string();
  struct stat found {};
  checked(::fstat(fd.get(), &found), what);
  if ((found.st_mode & kUnfinished) == 0) return;  // there are file systems without it
  checked(::fchmod(fd.get(), found.st_mode & 07777 & ~kUnfinished), what);
}

/// Removes a file or folder that a dead process of this user has left, if it is `ours`.
void sweep(const FileDescriptor& folder, const fs::path& path,
           const std::function<bool(const fs::path&)>& ours) {
  const fs::path name = path.filename();
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const FileDescriptor left(::openat(folder.get(), name.c_str(), flags));
  struct stat found {};
  if (!left || ::fstat(left.get(), &found) != 0) return;
  if (found.st_uid != ::geteuid() || (found.st_mode & kUnfinished) == 0) return;
  const bool is_file = S_ISREG(found.st_mode) && found.st_nlink == 1;
  if (!is_file && !S_ISDIR(found.st_mode)) return;
  if (::flock(left.get(), LOCK_EX | LOCK_NB) != 0 || !ours(path)) return;
  if (!is_file) empty_folder(left.get());
  ::unlinkat(folder.get(), name.c_str(), is_file ? 0 : AT_REMOVEDIR);
}

}  // namespace

Partial::Partial(const fs::path& path, Kind kind) {
  do {
    path_ = path;
    path_ += std::string(kPartial) + random_id();
    unfinished_ = std::make_unique<Unfinished>(path_);
    fd_ = create(path_, kind);
  } while (!take(fd_));
}

Partial::~Partial() {
  if (path_.empty()) return;
  fd_ = FileDescriptor();  // clearing a folder away takes a descriptor, which may be the last
  clear_away(path_);
}

void Partial::rename_to(const fs::path& path) {
  finish(fd_, path_);
  checked(::rename(path_.c_str(), path.c_str()),
          fmt::format("rename {} to {}", path_.string(), path.string()));
  path_.clear();
}

std::optional<std::string_view> name_of_partial(std::string_view name) {
  if (name.size() <= kPartial.size() + kIdLetters) return std::nullopt;
  if (!is_random_id(name.substr(name.size() - kIdLetters))) return std::nullopt;
  name.remove_suffix(kIdLetters);
  if (!name.ends_with(kPartial)) return std::nullopt;
  return name.substr(0, name.size() - kPartial.size());
}

void sweep_partials(const fs::path& folder,
                    const std::function<bool(const fs::path&)>& ours) noexcept {
  try {
    std::error_code failure;
    const fs::path place = folder.empty() ? fs::path(".") : folder;
    const FileDescriptor opened(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    for (fs::directory_iterator at(place, failure), end; !failure && at != end;
         at.increment(failure)) {
      const fs::path& path = at->path();
      if (name_of_partial(path.filename().native())) sweep(opened, path, ours);
    }
  } catch (const std::exception&) {
    // Sweeping is for tidiness alone.
  }
}

}  // namespace gradwire::text
