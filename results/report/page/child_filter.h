#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Other programs used as functions from text to text.
namespace gradwire::report {

/// File with some content in the folder for temporary files, removed with this object.
class TemporaryFile {
 public:
  /// Makes the file, whose name ends with `suffix`. Throws SystemError.
  TemporaryFile(std::string_view content, std::string_view suffix);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Runs a program with `input` on its stdin and returns its stdout; its stderr is ours. The program
/// is looked up in PATH; no shell is involved. Blocks until it has ended. Throws InputError when
/// there is no such program, SystemError when it does not end with status 0.
[[nodiscard]] std::string filter_through(const std::vector<std::string>& arguments,
                                         std::string_view input);

}  // namespace gradwire::report
