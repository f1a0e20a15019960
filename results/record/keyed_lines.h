#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::record {

/// Where in a run folder's file of lines those of each point are. The lines stay in the file.
class KeyedLines {
 public:
  /// The key of the point that a line is of. Throws StoreError for a line that cannot be read.
  using KeyOf = std::function<std::string(std::string_view line)>;

  /// Reads the file once; where there is none, there are no lines. Throws InputError for the first
  /// line that cannot be read.
  KeyedLines(std::filesystem::path file, const KeyOf& key_of);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// The keys of all lines, each once, rising.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Writes the lines of a point, in their order and to the byte, to `to`, a descriptor that
  /// messages call `called`. Throws SystemError, and InputError when the file is shorter than it
  /// was.
  void copy(const std::string& key, int to, const std::filesystem::path& called) const;

 private:
  struct Extent {
    std::size_t first = 0;  ///< byte
    std::size_t bytes = 0;
  };

  std::filesystem::path file_;
  std::map<std::string, std::vector<Extent>> extents_;  ///< by key
};

}  // namespace gradwire::record
