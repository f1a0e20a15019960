#include "core/text/partial.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/random_id.h"

namespace gradwire::text {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial-";
constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kIdLetters = 6;

FileDescriptor create(const fs::path& path, Partial::Kind kind) {
  const std::string what = "create " + path.string();
  if (kind == Partial::Kind::file) {
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    return FileDescriptor(checked(::open(path.c_str(), flags, 0666), what));
  }
  checked(::mkdir(path.c_str(), 0777), what);
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  return FileDescriptor(::open(path.c_str(), flags));  // not there: swept away already
}

/// Whether the new file or folder is this process's own, and no sweep has taken it. Where there are
/// no locks there is no sweep either.
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

bool is_abandoned(const fs::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0 || found.st_uid != ::geteuid()) return false;
  if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return false;
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const FileDescriptor file(::open(path.c_str(), flags));
  return file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
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
  checked(::rename(path_.c_str(), path.c_str()),
          fmt::format("rename {} to {}", path_.string(), path.string()));
  path_.clear();
}

std::optional<std::string_view> name_of_partial(std::string_view name) {
  if (name.size() <= kPartial.size() + kIdLetters) return std::nullopt;
  const std::string_view id = name.substr(name.size() - kIdLetters);
  name.remove_suffix(kIdLetters);
  if (id.find_first_not_of(kLetters) != std::string_view::npos) return std::nullopt;
  if (!name.ends_with(kPartial)) return std::nullopt;
  return name.substr(0, name.size() - kPartial.size());
}

void sweep_partials(const fs::path& folder,
                    const std::function<bool(const fs::path&)>& ours) noexcept {
  try {
    std::error_code failure;
    const fs::path place = folder.empty() ? fs::path(".") : folder;
    for (fs::directory_iterator at(place, failure), end; !failure && at != end;
         at.increment(failure)) {
      const fs::path& path = at->path();
      if (!name_of_partial(path.filename().native())) continue;
      if (ours(path) && is_abandoned(path)) clear_away(path);
    }
  } catch (const std::exception&) {
    // Sweeping is for tidiness alone.
  }
}

}  // namespace gradwire::text
