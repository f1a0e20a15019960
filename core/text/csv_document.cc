#include "core/text/csv_document.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/text/file.h"

namespace gradwire::text {
namespace {

constexpr std::size_t kLongestLine = 1 << 16;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";

/// Splits one line into fields.
class LineReader {
 public:
  LineReader(const std::string& file, std::string_view line, std::size_t number)
      : file_(file), line_(line), number_(number) {}

  [[nodiscard]] std::vector<CsvField> fields() {
    std::vector<CsvField> fields{field()};
    while (at_ < line_.size()) {
      ++at_;  // the comma
      fields.push_back(field());
    }
    return fields;
  }

 private:
  [[noreturn]] void refuse(std::size_t at, const std::string& why) const {
    throw InputError(SourcePlace{file_, number_, at + 1}, why);
  }

  void skip_blanks() { at_ = std::min(line_.find_first_not_of(kBlanks, at_), line_.size()); }

  /// Reads a field, which ends at a comma or the line's end.
  [[nodiscard]] CsvField field() {
    skip_blanks();
    CsvField field{.text = {}, .position = {number_, at_ + 1}};
    field.text = at_ < line_.size() && line_[at_] == '"' ? quoted() : plain();
    return field;
  }

  [[nodiscard]] std::string plain() {
    const std::size_t end = std::min(line_.find(',', at_), line_.size());
    std::string text(line_.substr(at_, end - at_));
    if (const std::size_t quote = text.find('"'); quote != std::string::npos) {
      refuse(at_ + quote, "a quote inside a field: quote the whole field, and write \"\" for it");
    }
    text.erase(text.find_last_not_of(kBlanks) + 1);
    at_ = end;
    return text;
  }

  [[nodiscard]] std::string quoted() {
    const std::size_t begin = at_++;
    std::string text;
    for (;;) {
      const std::size_t quote = line_.find('"', at_);
      if (quote == std::string_view::npos) refuse(begin, "this quote is not closed on its line");
      text += line_.substr(at_, quote - at_);
      at_ = quote + 1;
      if (at_ >= line_.size() || line_[at_] != '"') break;
      text += line_[at_++];  // "" is a quote
    }
    skip_blanks();
    if (at_ < line_.size() && line_[at_] != ',') refuse(at_, "text after a closing quote");
    return text;
  }

  const std::string& file_;
  std::string_view line_;
  std::size_t number_;
  std::size_t at_ = 0;
};

void check_columns(const CsvDocument& document) {
  std::set<std::string> names;
  for (const CsvField& column : document.header) {
    if (names.insert(column.text).second) continue;
    throw InputError(document.place(column.position),
                     fmt::format("column '{}' is given twice", column.text));
  }
}

void add_fields(CsvDocument& document, std::vector<CsvField> fields) {
  if (document.header.empty()) {
    document.header = std::move(fields);
    check_columns(document);
    return;
  }
  const std::size_t columns = document.header.size();
  if (fields.size() != columns) {
    const CsvField& odd = fields.size() > columns ? fields[columns] : fields.back();
    throw InputError(
        document.place(odd.position),
        fmt::format("{} fields, where line {} names {} columns: an empty field keeps its comma",
                    fields.size(), document.header.front().position.line, columns));
  }
  document.records.push_back(std::move(fields));
}

void add_line(CsvDocument& document, std::string_view line, std::size_t number) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return;
  if (line[first] != '#') {
    return add_fields(document, LineReader(document.file, line, number).fields());
  }
  document.comments.push_back(
      {.text = std::string(trimmed(line.substr(first + 1))), .position = {number, first + 1}});
}

}  // namespace

CsvDocument parse_csv(std::string_view text, std::string file) {
  CsvDocument document{.file = std::move(file), .comments = {}, .header = {}, .records = {}};
  if (const auto fault = check_text(text, kLongestLine)) {
    throw InputError(document.place(fault->position), fault->message);
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(document, line, number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (document.header.empty()) {
    throw InputError(document.place({}), "there is no line of column names");
  }
  return document;
}

CsvDocument load_csv(const std::filesystem::path& path) {
  return parse_csv(read_input_file(path, kMaxCsvBytes), path.string());
}

}  // namespace gradwire::text
