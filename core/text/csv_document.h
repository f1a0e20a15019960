#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/text/text_check.h"

/// Comma-separated values written by people and spreadsheets, with the place of every field.
///
/// Quotes are those of RFC 4180, but a quoted field ends on its line. Blanks around a field that is
/// not quoted do not count, nor do empty lines and a byte order mark. A line that begins with '#'
/// is a comment. Refused: text that is not UTF-8, control characters, lines with more or fewer
/// fields than the header, and two columns of one name.
namespace gradwire::text {

inline constexpr std::size_t kMaxCsvBytes = 1 << 20;

struct CsvField {
  std::string text;
  TextPosition position;
};

struct CsvDocument {
  std::string file;                ///< name in messages
  std::vector<CsvField> comments;  ///< without '#' and surrounding blanks; the place is that of '#'
  std::vector<CsvField> header;
  std::vector<std::vector<CsvField>> records;  ///< each as long as the header

  [[nodiscard]] SourcePlace place(TextPosition position) const {
    return {file, position.line, position.column};
  }
};

/// Reads a document. Messages call it `file`. Throws InputError with its place.
[[nodiscard]] CsvDocument parse_csv(std::string_view text, std::string file);

/// Reads a regular file of at most kMaxCsvBytes. Throws InputError, also if it cannot be read.
[[nodiscard]] CsvDocument load_csv(const std::filesystem::path& path);

}  // namespace gradwire::text
