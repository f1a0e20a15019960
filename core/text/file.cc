#include "core/text/file.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/text/partial.h"

namespace gradwire::text {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw InputError(SourcePlace{.file = path.string()}, why);
}

}  // namespace

std::string read_input_file(const std::filesystem::path& path, std::size_t limit) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) refuse(path, SystemError("cannot be opened", errno).what());
  struct stat status {};
  if (::fstat(file.get(), &status) == -1 || !S_ISREG(status.st_mode)) {
    refuse(path, "not a regular file");
  }
  if (static_cast<std::size_t>(status.st_size) > limit) {
    throw InputError({.file = path.string(), .line = 1, .column = 1},
                     fmt::format("larger than {} bytes", limit));
  }
  // One byte more, so that a file that grows while it is read is seen to do so.
  std::string content(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = ::read(file.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(path, SystemError("cannot be read", errno).what());
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size == content.size()) refuse(path, "grew while it was read");
  content.resize(size);
  return content;
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw SystemError("write " + path.string(), errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  const std::string name = path.filename();
  sweep_partials(path.parent_path(), [&name](const std::filesystem::path& other) {
    return name_of_partial(other.filename().native()) == name;
  });
  Partial file(path, Partial::Kind::file);
  write_all(file.fd(), content, path);
  checked(::fsync(file.fd()), "fsync " + path.string());
  file.rename_to(path);
  sync_folder(path.parent_path());
}

void create_folders(const std::filesystem::path& path) {
  std::error_code unknown;
  if (path.empty() || std::filesystem::exists(path, unknown)) return;
  create_folders(path.parent_path());
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    throw SystemError("create folder " + path.string(), errno);
  }
  sync_folder(path.parent_path());
}

void sync_folder(const std::filesystem::path& folder) {
  const std::string name = folder.empty() ? "." : folder.string();
  const FileDescriptor directory(
      checked(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open " + name));
  checked(::fsync(directory.get()), "fsync " + name);
}

}  // namespace gradwire::text
