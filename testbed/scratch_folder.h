#pragma once

#include <filesystem>
#include <string>

#include "core/file_descriptor.h"

namespace gradwire::testbed {

/// A folder of its own for files that nobody needs afterwards, in the machine's folder for such.
/// Removed with everything in it when this object goes; when its process is killed instead, by the
/// next that makes one.
class ScratchFolder {
 public:
  /// Its name begins with `prefix`. Removes what killed processes of this user have left first.
  /// Throws SystemError.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  FileDescriptor mark_;  ///< locked as long as the folder is in use, by whomever
};

}  // namespace gradwire::testbed
