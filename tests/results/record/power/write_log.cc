// Preloaded into a program: logs what changes below GRADWIRE_WRITE_ROOT, in order, to the file
// GRADWIRE_WRITE_LOG. Tests replay it as a disk that loses power (disk.h has the lines' forms).
// GRADWIRE_SWALLOW: "lines", "documents" or "folders" are then never synced, though the program
// believes it. What is synced is only logged: nobody cuts the power of the machine of the test.
#undef _FORTIFY_SOURCE
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

const std::string& root() {
  static const std::string path = environment("GRADWIRE_WRITE_ROOT");
  return path;
}

/// Writes a line of the log; nothing of it is seen by the functions below.
void note(std::string line) {
  static const int log =
      static_cast<int>(::syscall(SYS_openat, AT_FDCWD, environment("GRADWIRE_WRITE_LOG").c_str(),
                                 O_WRONLY | O_APPEND | O_CLOEXEC));
  const int before = errno;
  line += '\n';
  const auto written = ::syscall(SYS_write, log, line.data(), line.size());
  if (written != static_cast<long>(line.size())) std::abort();  // a log with a hole proves nothing
  errno = before;
}

/// The path of what a descriptor is open for, if that is below the root.
std::string path_below(int fd) {
  char path[4096];
  const int before = errno;
  const auto size = ::readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), path, sizeof path);
  errno = before;
  const std::string_view found(path, size < 0 ? 0 : static_cast<std::size_t>(size));
  const bool below = !root().empty() && found.starts_with(root()) &&
                     (found.size() == root().size() || found[root().size()] == '/');
  return below ? std::string(found) : "";
}

std::string inode(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? std::to_string(status.st_ino) : "?";
}

/// An entry of a folder below the root: "FOLDER NAME"; empty for others.
std::string entry_at(int folder, std::string_view path) {
  if (root().empty()) return "";
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  const bool bare = slash == std::string_view::npos;
  const std::string parent = bare ? "." : slash == 0 ? "/" : std::string(path.substr(0, slash));
  const int before = errno;
  const int fd = static_cast<int>(
      ::syscall(SYS_openat, folder, parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  errno = before;
  if (fd < 0) return "";
  const bool below = !path_below(fd).empty();
  const std::string number = inode(fd);
  ::syscall(SYS_close, fd);
  if (!below) return "";
  return number + " " + std::string(bare ? path : path.substr(slash + 1));
}

bool is_there(int folder, const char* path) {
  struct stat status {};
  const int before = errno;
  const bool there = ::fstatat(folder, path, &status, AT_SYMLINK_NOFOLLOW) == 0;
  errno = before;
  return there;
}

int open_logged(int folder, const char* path, int flags, mode_t mode) {
  const bool anew = (flags & O_CREAT) != 0 && !is_there(folder, path);
  const int fd = static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
  if (fd < 0 || path_below(fd).empty()) return fd;
  if (anew) {
    note("file " + entry_at(folder, path) + " " + inode(fd));
  } else if ((flags & O_TRUNC) != 0) {
    note("size " + inode(fd) + " 0");
  }
  return fd;
}

void note_written(int fd, const std::string& content, long offset) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string line = "write " + inode(fd) + " " + std::to_string(offset) + " ";
  for (const char c : content) {
    const auto byte = static_cast<unsigned char>(c);
    line += kDigits[byte / 16];
    line += kDigits[byte % 16];
  }
  note(std::move(line));
}

/// After writing where the file's position was, or at its end.
ssize_t written_at_position(int fd, const std::string& content, ssize_t written) {
  if (written <= 0 || path_below(fd).empty()) return written;
  const long end = ::syscall(SYS_lseek, fd, 0, SEEK_CUR);
  note_written(fd, content.substr(0, static_cast<std::size_t>(written)), end - written);
  return written;
}

int sync_logged(int number, int fd) {
  const std::string path = path_below(fd);
  if (path.empty()) return static_cast<int>(::syscall(number, fd));
  struct stat status {};
  ::fstat(fd, &status);
  const char* const kind = S_ISDIR(status.st_mode)     ? "folders"
                           : path.ends_with(".ndjson") ? "lines"
                                                       : "documents";
  if (environment("GRADWIRE_SWALLOW") != kind) note("sync " + inode(fd));
  return 0;
}

template <class Call>
int entry_logged(const std::string& entry, const char* what, const Call& call) {
  const int result = static_cast<int>(call());
  if (result == 0 && !entry.empty()) note(std::string(what) + " " + entry);
  return result;
}

int rename_logged(int from, const char* old_path, int to, const char* new_path, unsigned flags) {
  const std::string source = entry_at(from, old_path);
  const std::string target = entry_at(to, new_path);
  const int result =
      static_cast<int>(::syscall(SYS_renameat2, from, old_path, to, new_path, flags));
  if (result == 0 && (!source.empty() || !target.empty())) {
    note("rename " + source + " " + target);
  }
  return result;
}

int make_folder_logged(int folder, const char* path, mode_t mode) {
  const int result = static_cast<int>(::syscall(SYS_mkdirat, folder, path, mode));
  const std::string entry = result == 0 ? entry_at(folder, path) : "";
  struct stat status {};
  if (!entry.empty() && ::fstatat(folder, path, &status, 0) == 0) {
    note("folder " + entry + " " + std::to_string(status.st_ino));
  }
  return result;
}

int unlink_logged(int folder, const char* path, int flags) {
  return entry_logged(entry_at(folder, path), "unlink",
                      [&] { return ::syscall(SYS_unlinkat, folder, path, flags); });
}

mode_t mode_of(int flags, std::va_list list) {
  return (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_logged(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_logged(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  std::va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_logged(folder, path, flags, mode);
}

ssize_t write(int fd, const void* bytes, std::size_t size) {
  const ssize_t written = ::syscall(SYS_write, fd, bytes, size);
  return written_at_position(fd, std::string(static_cast<const char*>(bytes), size), written);
}

ssize_t writev(int fd, const iovec* parts, int count) {
  const ssize_t written = ::syscall(SYS_writev, fd, parts, count);
  std::string all;
  for (int i = 0; i < count; ++i) {
    all.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  }
  return written_at_position(fd, all, written);
}

ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t offset) {
  const ssize_t written = ::syscall(SYS_pwrite64, fd, bytes, size, offset);
  if (written > 0 && !path_below(fd).empty()) {
    note_written(fd, {static_cast<const char*>(bytes), static_cast<std::size_t>(written)}, offset);
  }
  return written;
}

int ftruncate(int fd, off_t size) noexcept {
  const int result = static_cast<int>(::syscall(SYS_ftruncate, fd, size));
  if (result == 0 && !path_below(fd).empty()) {
    note("size " + inode(fd) + " " + std::to_string(size));
  }
  return result;
}

int fsync(int fd) {
  return sync_logged(SYS_fsync, fd);
}
int fdatasync(int fd) {
  return sync_logged(SYS_fdatasync, fd);
}

int rename(const char* from, const char* to) noexcept {
  return rename_logged(AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from, const char* old_path, int to, const char* new_path) noexcept {
  return rename_logged(from, old_path, to, new_path, 0);
}
int renameat2(int from, const char* old_path, int to, const char* new_path,
              unsigned flags) noexcept {
  return rename_logged(from, old_path, to, new_path, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  return make_folder_logged(AT_FDCWD, path, mode);
}
int mkdirat(int folder, const char* path, mode_t mode) noexcept {
  return make_folder_logged(folder, path, mode);
}

int unlink(const char* path) noexcept {
  return unlink_logged(AT_FDCWD, path, 0);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return unlink_logged(folder, path, flags);
}
int rmdir(const char* path) noexcept {
  return unlink_logged(AT_FDCWD, path, AT_REMOVEDIR);
}
int remove(const char* path) noexcept {
  if (unlink_logged(AT_FDCWD, path, 0) == 0) return 0;
  return errno == EISDIR ? unlink_logged(AT_FDCWD, path, AT_REMOVEDIR) : -1;
}

}  // extern "C"
