#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/caretaker.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {

/// New folder for files that nobody needs afterwards, in the machine's folder for temporary files.
/// It is removed with everything in it when this object is destroyed. When its process is killed
/// instead, the caretaker removes it, or the next process that makes a scratch folder.
class ScratchFolder {
 public:
  /// Makes a folder whose name begins with `prefix`, which is "gw" or begins with "gw-". First
  /// removes folders that killed processes of this user have left. Throws SystemError.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// The folder's path.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<Unfinished> unfinished_;
  FileDescriptor all_;     ///< the folder for temporary files
  FileDescriptor folder_;  ///< this one
  FileDescriptor mark_;    ///< locked while a process uses the folder
};

}  // namespace gradwire::testbed
