#pragma once

#include <filesystem>

#include <sys/types.h>

#include "core/file_descriptor.h"

/// Files and folders that nobody shall find once their process has ended, even if it was killed.
namespace gradwire {

/// A process beside this one. When this one and every process that it has forked have ended, the
/// caretaker removes their Unfinished files and ends. The terminal's signals do not reach it. At
/// most one at a time.
class Caretaker {
 public:
  /// Starts it. Requires a single-threaded caller. Throws SystemError.
  Caretaker();
  /// Blocks until it has ended, for ten seconds at most: call it when the forked processes have. If
  /// one has not, the caretaker stays until it has.
  ~Caretaker();
  /// The descriptor by which the caretaker knows that the calling process lives; negative without a
  /// caretaker. A forked process that closes all its other descriptors keeps this one.
  [[nodiscard]] static int connection_of_caller();
  Caretaker(const Caretaker&) = delete;
  Caretaker& operator=(const Caretaker&) = delete;

 private:
  pid_t process_ = -1;
};

/// Has the caretaker remove `path`, and everything in it, if its process dies before this object.
/// Does nothing without a caretaker.
class Unfinished {
 public:
  /// Registers `path`, which need not exist yet, and must be a name that nobody else uses. Throws
  /// SystemError.
  explicit Unfinished(const std::filesystem::path& path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  std::filesystem::path path_;
};

}  // namespace gradwire
