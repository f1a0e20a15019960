#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

/// Files that must be whole or absent.
namespace gradwire::text {

/// The content of a regular file of at most `limit` bytes. Never waits: a pipe or a device is
/// refused. Throws InputError that names the file.
[[nodiscard]] std::string read_input_file(const std::filesystem::path& path, std::size_t limit);

/// Six random letters or digits, for names that nobody else has.
[[nodiscard]] std::string random_id();

/// Replaces `path` by `content` so that a reader, also after a power cut, sees the old file or the
/// new one, whole: writes beside it, syncs, renames, syncs the folder. Throws SystemError that
/// names the file; what was written beside is removed.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Whether a file at `path` could be written, asked before there is anything to write. Throws
/// InputError that begins with `option` and names the folder when it could not.
void check_writable(const std::string& option, const std::filesystem::path& path);

/// Makes renames and new files in `folder` survive a power cut. Throws SystemError.
void sync_folder(const std::filesystem::path& folder);

}  // namespace gradwire::text
