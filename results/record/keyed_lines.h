#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::record {

/// Index of a run folder's file of lines by point. The lines stay in the file.
class KeyedLines {
 public:
  /// Function that returns the key of a line's point. Throws StoreError for a line that cannot be
  /// read.
  using KeyOf = std::function<std::string(std::string_view line)>;

  /// Reads the file once; a missing file has no lines. Throws InputError for the first line that
  /// cannot be read.
  KeyedLines(std::filesystem::path file, const KeyOf& key_of);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// The keys of all lines, each once, in ascending order.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// Copies the lines of a point, in their order and to the byte, to the descriptor `to`, which
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
