#pragma once

#include <cstddef>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/file_descriptor.h"

/// Files of lines that only grow.
namespace gradwire::record {

/// File to which whole lines are appended. Appended lines survive a kill or a power cut.
class LineFile {
 public:
  /// Creates a new, empty file, locked as by reopen. It may be moved; messages call it `called`.
  /// Throws SystemError.
  [[nodiscard]] static LineFile create(const std::filesystem::path& path,
                                       std::filesystem::path called);

  /// Opens an existing file, or creates one, and locks it until this program, and every program it
  /// started with the file open, has ended. A part of a line after the last newline was never
  /// acknowledged and is cut off. Throws InputError when another program has it locked, when it is
  /// a symbolic link or not a regular file, and when neither its end nor its beginning looks like a
  /// line's beginning; nothing is changed then. Throws SystemError.
  [[nodiscard]] static LineFile reopen(const std::filesystem::path& path);

  /// Appends the line and a newline: one write and one fdatasync. Throws SystemError when either
  /// fails; a partial line is removed, and every later call throws as well.
  void append(std::string_view line);

 private:
  LineFile(std::filesystem::path path, FileDescriptor file, std::size_t bytes);

  [[noreturn]] void fail(const std::string& operation, int error_number);

  std::filesystem::path path_;
  FileDescriptor file_;
  std::size_t bytes_ = 0;
  int error_ = 0;  ///< errno of the first failure
};

/// Whether another program has a LineFile locked; false when there is no such file.
[[nodiscard]] bool is_locked(const std::filesystem::path& path);

/// Line of a file, as read.
struct Line {
  std::size_t number = 0;  ///< number of the line, from 1
  std::string_view text;   ///< without its newline
  bool whole = true;       ///< false: the file ends without a newline here
};

/// Reader of a file of lines, block by block.
class LineReader {
 public:
  /// Opens the file, to read `limit` bytes at most. Throws SystemError when it cannot be opened,
  /// InputError when it is not a regular file; is_open() is false when there is none.
  explicit LineReader(const std::filesystem::path& path,
                      std::size_t limit = std::numeric_limits<std::size_t>::max());

  [[nodiscard]] bool is_open() const { return static_cast<bool>(file_); }

  /// The next line, if there is one. Its text is valid until the next call, and kPadding readable
  /// bytes follow it. Throws SystemError.
  [[nodiscard]] std::optional<Line> next();

  static constexpr std::size_t kPadding = 64;

 private:
  bool fill();

  std::filesystem::path path_;
  std::size_t left_ = 0;  ///< bytes that may still be read
  bool over_ = false;
  FileDescriptor file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t first_ = 0;  ///< index of the first unread byte
  std::size_t end_ = 0;
  std::size_t number_ = 0;
};

}  // namespace gradwire::record
