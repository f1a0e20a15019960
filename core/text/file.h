#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

/// Files that must be whole or absent.
namespace gradwire::text {

/// The content of a regular file of at most `limit` bytes. Never waits: a pipe or a device is
/// refused. Throws InputError that names the file; for a larger one at its first byte.
[[nodiscard]] std::string read_input_file(const std::filesystem::path& path, std::size_t limit);

/// Writes all of `content` to `fd`. Messages call the file `path`. Throws SystemError.
void write_all(int fd, std::string_view content, const std::filesystem::path& path);

/// Replaces `path` by `content` so that a reader, even after a power cut, sees the old file or the
/// new one, whole: writes beside it (Partial), syncs, renames, syncs the folder. It replaces even a
/// symbolic link of that name; write_output_file() is for names that users give. Throws SystemError
/// that names the file, after removing the partial file.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Creates a folder and its missing parents; they survive a power cut. Leaves existing folders
/// alone. Throws SystemError.
void create_folders(const std::filesystem::path& path);

/// Makes renames and new files in `folder` survive a power cut. Throws SystemError.
void sync_folder(const std::filesystem::path& folder);

}  // namespace gradwire::text
