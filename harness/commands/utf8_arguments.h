#pragma once

#include <span>

namespace gradwire::commands {

/// Throws InputError for an argument of the command line that is not UTF-8: names of files are in
/// messages, and in UTF-8 files that other programs read. Commands that the program starts itself
/// keep no names, and take all.
void require_utf8(std::span<char* const> arguments);

}  // namespace gradwire::commands
