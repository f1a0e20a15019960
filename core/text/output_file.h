#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Files that users name for what a command writes.
namespace gradwire::text {

/// Writes `content` to where `path` leads. A regular file, or a name that nothing has, becomes a
/// new, whole file, or stays as it was. Symbolic links are followed. Anything else, such as
/// /dev/null or a pipe, is opened and written to, and stays what it is; opening a pipe blocks until
/// somebody reads it. A name of one of this process's own descriptors, such as /dev/stdout, is
/// written to as that descriptor. Throws SystemError that names the file.
void write_output_file(const std::filesystem::path& path, std::string_view content);

/// Whether write_output_file() could write, asked before there is anything to write. Throws
/// InputError that begins with `option` and names the place when it could not.
void check_writable(const std::string& option, const std::filesystem::path& path);

}  // namespace gradwire::text
