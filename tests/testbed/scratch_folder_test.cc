#include "testbed/scratch_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::testbed {
namespace {

TEST(ScratchFolder, GoesWithEverythingInIt) {
  std::filesystem::path path;
  {
    const ScratchFolder folder("gw-test");
    path = folder.path();
    std::filesystem::create_directories(path / "a");
    std::ofstream(path / "a" / "file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path / "a" / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ScratchFolder, NeedsTheFolderForTemporaryFiles) {
  const char* const before = std::getenv("TMPDIR");
  const std::string restored = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/nowhere/at/all", 1);
  EXPECT_THROW(ScratchFolder("gw-test"), SystemError);
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", restored.c_str(), 1);
  }
}

}  // namespace
}  // namespace gradwire::testbed
