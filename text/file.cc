#include "text/file.h"

#include <cerrno>
#include <cstdio>
#include <random>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::text {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw InputError(SourcePlace{.file = path.string()}, why);
}

void write_and_sync(const std::filesystem::path& path, std::string_view content) {
  const std::string name = path.string();
  const FileDescriptor file(
      checked(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666),
              "create " + name));
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw SystemError("write " + name, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  checked(::fsync(file.get()), "fsync " + name);
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
    refuse(path, fmt::format("larger than {} bytes", limit));
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

std::string random_id() {
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> pick(0, kLetters.size() - 1);
  std::string id;
  for (int i = 0; i < 6; ++i) id += kLetters[pick(device)];
  return id;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::filesystem::path beside = path;
  beside += ".partial-" + random_id();
  try {
    write_and_sync(beside, content);
    checked(::rename(beside.c_str(), path.c_str()),
            fmt::format("rename {} to {}", beside.string(), path.string()));
  } catch (const SystemError&) {
    ::unlink(beside.c_str());
    throw;
  }
  sync_folder(path.parent_path());
}

void check_writable(const std::string& option, const std::filesystem::path& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (::access(folder.c_str(), W_OK) != 0) {
    throw InputError(fmt::format("{}: cannot write into {}", option, folder.string()));
  }
  if (std::filesystem::is_directory(path)) {
    throw InputError(fmt::format("{}: {} is a folder", option, path.string()));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const std::string name = folder.empty() ? "." : folder.string();
  const FileDescriptor directory(
      checked(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open " + name));
  checked(::fsync(directory.get()), "fsync " + name);
}

}  // namespace gradwire::text
