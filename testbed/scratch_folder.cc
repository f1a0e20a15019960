#include "testbed/scratch_folder.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "core/error.h"

namespace gradwire::testbed {

ScratchFolder::ScratchFolder(const std::string& prefix) {
  std::error_code failure;
  const auto parent = std::filesystem::temp_directory_path(failure);
  if (failure) throw SystemError("find the folder for temporary files (TMPDIR)", failure.value());
  std::string name = parent / (prefix + "-XXXXXX");
  if (::mkdtemp(name.data()) == nullptr) throw SystemError("create " + name, errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  // Whoever used it may still be clearing up: a file that vanishes meanwhile ends the removal.
  constexpr int kAttempts = 20;
  std::error_code failure;
  for (int i = 0; i < kAttempts; ++i) {
    std::filesystem::remove_all(path_, failure);
    if (!failure) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace gradwire::testbed
