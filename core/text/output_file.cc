#include "core/text/output_file.h"

#include <cerrno>
#include <cstdio>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/text/file.h"
#include "core/to_number.h"

namespace gradwire::text {
namespace {

namespace fs = std::filesystem;

/// The file that is written to.
struct Target {
  fs::path path;           ///< without symbolic links in its last part
  std::optional<int> own;  ///< this process's descriptor that the path names
  bool special = false;    ///< neither a regular file nor absent
};

/// The number of the descriptor of this process that /proc/self/fd has at `path`.
std::optional<int> own_descriptor(const fs::path& path) {
  std::error_code failure;
  const fs::path folder = fs::canonical(path.parent_path(), failure);
  if (failure || folder != fs::canonical("/proc/self/fd", failure)) return std::nullopt;
  return to_number<int>(path.filename().native());
}

/// The target of `path`. Throws SystemError for links that lead in a circle.
Target resolve(fs::path path) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    struct stat found {};
    if (::lstat(path.c_str(), &found) != 0) return {.path = std::move(path)};
    if (!S_ISLNK(found.st_mode)) {
      return {.path = std::move(path), .special = !S_ISREG(found.st_mode)};
    }
    if (const auto own = own_descriptor(path)) return {.path = std::move(path), .own = own};
    path = path.parent_path() / fs::read_symlink(path);  // an absolute one replaces the folder
  }
  throw SystemError("open " + path.string(), ELOOP);
}

}  // namespace

void write_output_file(const fs::path& path, std::string_view content) {
  const Target target = resolve(path);
  if (target.own) {
    std::fflush(nullptr);  // what was printed before comes before
    write_all(*target.own, content, path);
  } else if (target.special) {
    const FileDescriptor file(checked(::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY),
                                      "open " + path.string()));
    write_all(file.get(), content, path);
  } else {
    write_file_atomically(target.path, content);
  }
}

void check_writable(const std::string& option, const fs::path& path) {
  const Target target = resolve(path);
  if (fs::is_directory(target.path)) {
    throw InputError(fmt::format("{}: {} is a folder", option, path.string()));
  }
  const bool in_place = target.own || target.special;
  const fs::path written = in_place ? target.path : fs::absolute(target.path).parent_path();
  if (::access(written.c_str(), W_OK) != 0) {
    throw InputError(
        fmt::format("{}: cannot write {} {}", option, in_place ? "to" : "into", written.string()));
  }
}

}  // namespace gradwire::text
