#include "core/text/output_file.h"

#include <fstream>
#include <future>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"

namespace gradwire::text {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class OutputFile : public ::testing::Test {
 protected:
  OutputFile() { fs::create_directories(folder_ / "inner"); }
  ~OutputFile() override { fs::remove_all(folder_); }

  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_ = fs::temp_directory_path() / ("gw-output-" + std::to_string(::getpid()));
};

TEST_F(OutputFile, IsNewOrReplaced) {
  for (const char* text : {"first", "second"}) {
    write_output_file(folder_ / "file", text);
    EXPECT_EQ(content(folder_ / "file"), text);
  }
  EXPECT_EQ(entries(), 2u) << "the file and the inner folder, and nothing unfinished";
}

// A chain of relative and absolute links, the last of which may lead to nothing.
TEST_F(OutputFile, IsWhereLinksLead) {
  fs::create_symlink("inner/second", folder_ / "first");
  fs::create_symlink(folder_ / "third", folder_ / "inner" / "second");
  fs::create_symlink("file", folder_ / "third");
  for (const char* text : {"absent", "there"}) {
    write_output_file(folder_ / "first", text);
    EXPECT_EQ(content(folder_ / "file"), text);
  }
  EXPECT_TRUE(fs::is_symlink(folder_ / "third"));
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(write_output_file(folder_ / "circle", ""), SystemError);
}

TEST_F(OutputFile, StaysThePipeThatItIs) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  check_writable("-o", pipe);
  auto reader = std::async(std::launch::async, [&] { return content(pipe); });
  write_output_file(pipe, "through the pipe");
  EXPECT_EQ(reader.get(), "through the pipe");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

// As /dev/stdout with a standard output that is a file: it goes behind what is there already.
TEST_F(OutputFile, MayBeADescriptorOfOurs) {
  const fs::path file = folder_ / "file";
  const FileDescriptor own(::open(file.c_str(), O_WRONLY | O_CREAT, 0600));
  ASSERT_EQ(::write(own.get(), "before, ", 8), 8);
  fs::create_symlink("/proc/self/fd/" + std::to_string(own.get()), folder_ / "link");
  check_writable("-o", folder_ / "link");
  write_output_file(folder_ / "link", "after");
  EXPECT_EQ(content(file), "before, after");
}

TEST_F(OutputFile, IsNoFolderAndInNoMissingOne) {
  EXPECT_THROW(write_output_file(folder_, ""), SystemError);
  EXPECT_THROW(write_output_file(folder_ / "missing" / "file", ""), SystemError);
  EXPECT_THROW(check_writable("-o", folder_), InputError);
  EXPECT_THROW(check_writable("-o", folder_ / "missing" / "file"), InputError);
  check_writable("-o", folder_ / "file");
}

}  // namespace
}  // namespace gradwire::text
