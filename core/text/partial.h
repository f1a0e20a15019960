#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/caretaker.h"
#include "core/file_descriptor.h"

/// Files and folders that are made beside their final names.
namespace gradwire::text {

/// A new, empty file or folder `PATH.partial-xxxxxx`. It is removed when this object is destroyed,
/// by the caretaker if its process is killed, and otherwise by a later sweep_partials(): it is
/// locked while somebody makes it, and has the sticky bit until it gets its name.
class Partial {
 public:
  enum class Kind { file, folder };

  /// Creates it. Throws SystemError that names it.
  Partial(const std::filesystem::path& path, Kind kind);
  ~Partial();
  Partial(const Partial&) = delete;
  Partial& operator=(const Partial&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The file, open for writing, or the folder. Owned by this object.
  [[nodiscard]] int fd() const { return fd_.get(); }
  /// Renames it to its final name. The caller still has to sync its folder. Throws SystemError.
  void rename_to(const std::filesystem::path& path);

 private:
  std::filesystem::path path_;  ///< empty once it is renamed
  std::unique_ptr<Unfinished> unfinished_;
  FileDescriptor fd_;
};

/// The final name of a file or folder with such a name: "a.json" for "a.json.partial-x0y1z2".
/// Nothing for other names.
[[nodiscard]] std::optional<std::string_view> name_of_partial(std::string_view name);

/// Removes the files and folders in `folder` that have such a name and the sticky bit, belong to
/// the caller, are locked by nobody and are `ours`. Follows no link. Never throws: files that
/// cannot be removed stay.
void sweep_partials(const std::filesystem::path& folder,
                    const std::function<bool(const std::filesystem::path&)>& ours) noexcept;

}  // namespace gradwire::text
