#include "core/empty_folder.h"

#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/random_id.h"

namespace gradwire {
namespace {

namespace fs = std::filesystem;

TEST(EmptyFolder, RemovesLinksAndNotWhatTheyLeadTo) {
  const fs::path place = fs::temp_directory_path() / ("gw-empty-folder-" + random_id());
  fs::create_directories(place / "emptied/inner/more");
  fs::create_directories(place / "kept");
  for (const char* file : {"emptied/file", "emptied/inner/more/file", "kept/file"}) {
    std::ofstream(place / file).flush();
  }
  fs::create_directory_symlink(place / "kept", place / "emptied/link");
  fs::create_directory_symlink(place / "kept", place / "emptied/inner/link");
  const FileDescriptor folder(
      checked(::open((place / "emptied").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open"));
  EXPECT_TRUE(empty_folder(folder.get()));
  EXPECT_TRUE(fs::is_empty(place / "emptied"));
  EXPECT_TRUE(fs::exists(place / "kept/file"));
  fs::remove_all(place);
}

TEST(EmptyFolder, SaysWhenItIsNoFolder) {
  const FileDescriptor file(checked(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open"));
  EXPECT_FALSE(empty_folder(file.get()));
}

TEST(RandomId, IsKnownByItsLetters) {
  EXPECT_TRUE(is_random_id(random_id()));
  for (const char* other : {"", "x0y1z", "x0y1z23", "X0Y1Z2", "x0y1z-"}) {
    EXPECT_FALSE(is_random_id(other)) << other;
  }
}

}  // namespace
}  // namespace gradwire
