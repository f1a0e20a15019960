#include "testbed/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "core/error.h"

namespace gradwire::testbed {

ScratchFolder::ScratchFolder(const std::string& prefix) {
  std::string name = std::filesystem::temp_directory_path() / (prefix + "-XXXXXX");
  if (::mkdtemp(name.data()) == nullptr) throw SystemError("create " + name, errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace gradwire::testbed
