#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/caretaker.h"
#include "core/file_descriptor.h"

/// Files and folders that are being made beside what they shall be.
namespace gradwire::text {

/// A new, empty file or folder `PATH.partial-xxxxxx`. Removed when this object goes, by the
/// caretaker when its process is killed, and else by a later sweep_partials(): it is locked while
/// somebody makes it, and has the sticky bit until it gets its name.
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
  /// Gives it its name. The folder in which that is still has to be synced. Throws SystemError.
  void rename_to(const std::filesystem::path& path);

 private:
  std::filesystem::path path_;  ///< empty once it is renamed
  std::unique_ptr<Unfinished> unfinished_;
  FileDescriptor fd_;
};

/// What a file or folder with such a name shall be called: "a.json" for "a.json.partial-x0y1z2".
/// Nothing for other names.
[[nodiscard]] std::optional<std::string_view> name_of_partial(std::string_view name);

/// Removes the files and folders in `folder` that have such a name and the sticky bit, are the
/// caller's, are locked by nobody and are `ours`. Follows no link. Never throws: what cannot be
/// removed stays.
void sweep_partials(const std::filesystem::path& folder,
                    const std::function<bool(const std::filesystem::path&)>& ours) noexcept;

}  // namespace gradwire::text
