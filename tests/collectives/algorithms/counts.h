#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

/// Files of counts for each pair of ranks.
namespace gradwire::algorithms::testing {

/// A file that is there as long as this is. No two have one name: what a file says is read once.
class CountsFile {
 public:
  explicit CountsFile(std::string_view text) : path_(next_path()) { std::ofstream(path_) << text; }
  ~CountsFile() { std::filesystem::remove(path_); }
  CountsFile(const CountsFile&) = delete;
  CountsFile& operator=(const CountsFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The all-to-all of these counts, as experiments name it.
  [[nodiscard]] std::string name(std::string_view way) const {
    return fmt::format("all-to-all({}, counts={})", way, path_.string());
  }

 private:
  static std::filesystem::path next_path() {
    static std::size_t number = 0;
    return std::filesystem::path(::testing::TempDir()) /
           fmt::format("counts-{}-{}.csv", ::getpid(), number++);
  }

  std::filesystem::path path_;
};

}  // namespace gradwire::algorithms::testing
