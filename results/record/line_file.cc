#include "results/record/line_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text/file.h"

namespace gradwire::record {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 22;
/// Longest line that this program writes. More bytes without a newline are returned in parts.
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

void lock(const FileDescriptor& file, const std::filesystem::path& path) {
  struct flock lock = whole_file(F_WRLCK);
  if (::fcntl(file.get(), F_OFD_SETLK, &lock) == 0) return;
  if (errno != EAGAIN && errno != EACCES) throw SystemError("lock " + path.string(), errno);
  throw InputError(SourcePlace{.file = path.string()}, "another gradwire writes it now");
}

/// Throws unless the file is a regular one: a pipe would block everybody.
FileDescriptor require_regular(FileDescriptor file, const std::filesystem::path& path) {
  if (!file && errno == ELOOP) {
    throw InputError(SourcePlace{.file = path.string()}, "is a symbolic link");
  }
  if (!file) throw SystemError("open " + path.string(), errno);
  struct stat status {};
  checked(::fstat(file.get(), &status), "look at " + path.string());
  if (!S_ISREG(status.st_mode)) {
    throw InputError(SourcePlace{.file = path.string()}, "is not a regular file");
  }
  return file;
}

/// Opens a file to append to it, or creates one that survives a power cut. Refuses a symbolic link,
/// which may lead to another's file.
FileDescriptor open_to_append(const std::filesystem::path& path) {
  const int flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  FileDescriptor file(::open(path.c_str(), flags));
  if (file || errno != ENOENT) return require_regular(std::move(file), path);
  file = FileDescriptor(
      checked(::open(path.c_str(), flags | O_CREAT | O_EXCL, 0666), "create " + path.string()));
  text::sync_folder(path.parent_path());
  return file;
}

/// End of a file of lines.
struct Ending {
  std::size_t bytes = 0;  ///< size of the file up to and with its last newline
  std::string rest;       ///< the first bytes after it
};

Ending ending_of(const FileDescriptor& file, const std::filesystem::path& path) {
  constexpr std::size_t kEnough = 16;
  struct stat status {};
  checked(::fstat(file.get(), &status), "look at " + path.string());
  auto end = static_cast<std::size_t>(status.st_size);
  std::vector<char> block(kBlock);
  Ending ending;
  while (end > 0) {
    const std::size_t first = end - std::min(end, block.size());
    const ssize_t got = ::pread(file.get(), block.data(), end - first, static_cast<off_t>(first));
    if (got == -1) throw SystemError("read " + path.string(), errno);
    const std::string_view text(block.data(), static_cast<std::size_t>(got));
    const std::size_t newline = text.rfind('\n');
    const std::size_t rest = newline == std::string_view::npos ? 0 : newline + 1;
    ending.rest = std::string(text.substr(rest)) + ending.rest;
    ending.rest.resize(std::min(ending.rest.size(), kEnough));
    ending.bytes = first + rest;
    if (newline != std::string_view::npos) return ending;
    end = first;
  }
  return ending;
}

/// Whether bytes are the beginning of a line of this program, or the zeros that a power cut leaves
/// instead.
bool begins_as_ours(std::string_view bytes) {
  return bytes.starts_with("{\"") || bytes == "{" || bytes.find_first_not_of('\0') == bytes.npos;
}

/// Whether the whole file begins as one of this program. Behind such a beginning a power cut may
/// leave anything: parts of a line, and old content of the disk.
bool is_ours(const FileDescriptor& file, const std::filesystem::path& path) {
  char bytes[2];
  const ssize_t got = ::pread(file.get(), bytes, sizeof bytes, 0);
  if (got == -1) throw SystemError("read " + path.string(), errno);
  return begins_as_ours({bytes, static_cast<std::size_t>(got)});
}

/// Cuts off an unfinished line, which was never acknowledged. Throws InputError when this program
/// did not write it.
std::size_t cut_to_lines(const FileDescriptor& file, const std::filesystem::path& path) {
  const Ending ending = ending_of(file, path);
  if (ending.rest.empty()) return ending.bytes;
  if (!begins_as_ours(ending.rest) && !is_ours(file, path)) {
    throw InputError(SourcePlace{.file = path.string()},
                     "ends with something that is no line of a run; nothing was changed");
  }
  checked(::ftruncate(file.get(), static_cast<off_t>(ending.bytes)), "truncate " + path.string());
  return ending.bytes;
}

}  // namespace

LineFile::LineFile(std::filesystem::path path, FileDescriptor file, std::size_t bytes)
    : path_(std::move(path)), file_(std::move(file)), bytes_(bytes) {}

LineFile LineFile::create(const std::filesystem::path& path, std::filesystem::path called) {
  FileDescriptor file(
      checked(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666),
              "create " + path.string()));
  lock(file, path);
  return {std::move(called), std::move(file), 0};
}

LineFile LineFile::reopen(const std::filesystem::path& path) {
  FileDescriptor file = open_to_append(path);
  lock(file, path);
  const std::size_t bytes = cut_to_lines(file, path);
  return {path, std::move(file), bytes};
}

void LineFile::fail(const std::string& operation, int error_number) {
  error_ = error_number;
  // O_APPEND leaves what did get written; take it back so that no reader sees half a line. If even
  // this fails, the first error is still the one to report.
  [[maybe_unused]] const int ignored = ::ftruncate(file_.get(), static_cast<off_t>(bytes_));
  throw SystemError(fmt::format("{} {}", operation, path_.string()), error_number);
}

void LineFile::append(std::string_view line) {
  if (error_ != 0) throw SystemError("append to " + path_.string() + " after it failed", error_);
  std::string text(line);
  text += '\n';
  ssize_t written = 0;
  do {
    written = ::write(file_.get(), text.data(), text.size());
  } while (written == -1 && errno == EINTR);
  if (written == -1) fail("append to", errno);
  // A regular file takes part of a write only when there is no room for the rest.
  if (static_cast<std::size_t>(written) != text.size()) fail("append to", ENOSPC);
  if (::fdatasync(file_.get()) == -1) fail("fdatasync", errno);
  bytes_ += text.size();
}

bool is_locked(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return false;
  struct flock lock = whole_file(F_RDLCK);
  return ::fcntl(file.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

LineReader::LineReader(const std::filesystem::path& path, std::size_t limit)
    : path_(path), left_(limit) {
  if (::access(path.c_str(), F_OK) != 0) return;
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  file_ = require_regular(std::move(file), path);
}

/// Reads another block behind the unread bytes; false at the end of the file.
bool LineReader::fill() {
  const std::size_t left = end_ - first_;
  if (capacity_ - left < kBlock) {
    capacity_ = std::max(2 * capacity_, left + kBlock);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity_ + kPadding);
    if (left > 0) std::memcpy(larger.get(), buffer_.get() + first_, left);
    buffer_ = std::move(larger);
  } else {
    std::memmove(buffer_.get(), buffer_.get() + first_, left);
  }
  first_ = 0;
  end_ = left;
  ssize_t got = 0;
  do {
    got = ::read(file_.get(), buffer_.get() + end_, std::min(capacity_ - end_, left_));
  } while (got == -1 && errno == EINTR);
  if (got == -1) throw SystemError("read " + path_.string(), errno);
  end_ += static_cast<std::size_t>(got);
  left_ -= static_cast<std::size_t>(got);
  std::memset(buffer_.get() + end_, 0, kPadding);
  return got > 0;
}

std::optional<Line> LineReader::next() {
  if (!is_open() || over_) return std::nullopt;
  std::size_t searched = 0;
  while (true) {
    const char* begin = buffer_.get() + first_;
    const std::size_t left = end_ - first_;
    const void* newline =
        left > searched ? std::memchr(begin + searched, '\n', left - searched) : nullptr;
    if (newline != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(newline) - begin);
      first_ += size + 1;
      return Line{.number = ++number_, .text = {begin, size}};
    }
    searched = left;
    if (left < kLongestLine) {
      if (fill()) continue;
      over_ = true;  // whatever comes now is the rest of a line of which a part was seen
    }
    if (first_ == end_) return std::nullopt;
    const std::string_view rest(buffer_.get() + first_, end_ - first_);
    first_ = end_;
    return Line{.number = ++number_, .text = rest, .whole = false};
  }
}

}  // namespace gradwire::record
