#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/caretaker.h"
#include "core/file_descriptor.h"

namespace gradwire::testbed {

/// A new folder for files that nobody needs afterwards, in the machine's folder for temporary
/// files. Removed with everything in it when this object goes. When its process is killed instead,
/// the caretaker removes it, or the next process that makes a scratch folder.
class ScratchFolder {
 public:
  /// Its name begins with `prefix`, which is "gw" or begins with "gw-". First removes what killed
  /// processes of this user have left. Throws SystemError.
  explicit ScratchFolder(const std::string& prefix);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Where it is.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<Unfinished> unfinished_;
  FileDescriptor all_;     ///< the folder for temporary files
  FileDescriptor folder_;  ///< this one
  FileDescriptor mark_;    ///< locked while a process uses the folder
};

}  // namespace gradwire::testbed
