#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Output files of commands, under names that users give.
namespace gradwire::text {

/// Writes `content` to the target of `path`. A regular file, or a name that does not exist, becomes
/// a new, whole file, or stays unchanged. Symbolic links are followed. Anything else, such as
/// /dev/null or a pipe, is opened and written to, and stays; opening a pipe blocks until somebody
/// reads it. A name of one of this process's own descriptors, such as /dev/stdout, is written to as
/// that descriptor. Throws SystemError that names the file.
void write_output_file(const std::filesystem::path& path, std::string_view content);

/// Checks that write_output_file() could write, before there is anything to write. Throws
/// InputError that begins with `option` and names the place if it could not.
void check_writable(const std::string& option, const std::filesystem::path& path);

}  // namespace gradwire::text
