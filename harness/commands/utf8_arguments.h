#pragma once

#include <span>

namespace gradwire::commands {

/// Names of files stand in messages, and in files of UTF-8 that other programs read. Throws
/// InputError for an argument of the command line that is not UTF-8. Commands that the program
/// starts itself keep no names, and take all.
void require_utf8(std::span<char* const> arguments);

}  // namespace gradwire::commands
