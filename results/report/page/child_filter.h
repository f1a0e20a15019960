#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Other programs as functions from text to text.
namespace gradwire::report {

/// A file with this content in the folder for temporary files, removed when it goes.
class TemporaryFile {
 public:
  /// `suffix` ends its name. Throws SystemError.
  TemporaryFile(std::string_view content, std::string_view suffix);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What a program writes to stdout when it reads `input` on stdin; its stderr is ours. The program
/// is looked up in PATH; no shell is involved. Blocks until it has ended. Throws InputError when
/// there is no such program, SystemError when it does not end with status 0.
[[nodiscard]] std::string filter_through(const std::vector<std::string>& arguments,
                                         std::string_view input);

}  // namespace gradwire::report
