#pragma once

#include <filesystem>
#include <string>

namespace gradwire::testbed {

/// A folder of its own for files that nobody needs afterwards, in the machine's folder for such.
/// Removed with everything in it when this object goes.
class ScratchFolder {
 public:
  /// Its name begins with `prefix`. Throws SystemError.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace gradwire::testbed
