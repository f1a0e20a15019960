#include "core/empty_folder.h"

#include <cerrno>
#include <string_view>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/file_descriptor.h"

namespace gradwire {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool remove_entry(int folder, const char* name) noexcept {
  if (::unlinkat(folder, name, 0) == 0 || errno == ENOENT) return true;
  if (errno != EISDIR) return false;
  const FileDescriptor inner(::openat(folder, name, kFolder));
  if (inner) empty_folder(inner.get());
  return ::unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

}  // namespace

bool empty_folder(int folder) noexcept {
  FileDescriptor listed(::openat(folder, ".", kFolder));
  DIR* const entries = listed ? ::fdopendir(listed.get()) : nullptr;
  if (entries == nullptr) return false;
  static_cast<void>(listed.release());  // closedir() closes it
  bool empty = true;
  while (const dirent* const entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    empty = remove_entry(folder, entry->d_name) && empty;
  }
  ::closedir(entries);
  return empty;
}

}  // namespace gradwire
