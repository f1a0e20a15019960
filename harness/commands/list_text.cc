#include "harness/commands/list_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"

namespace gradwire::commands {
namespace {

using text::OptionForm;
using Json = nlohmann::ordered_json;

struct Table {
  std::vector<text::Heading> headings;
  std::vector<std::vector<std::string>> rows;
};

/// Function that quotes a name.
using Quote = std::string (*)(const std::string& name);

std::string plain(const std::string& name) {
  return name;
}

std::string code(const std::string& name) {
  return name.empty() ? "" : "`" + name + "`";
}

std::string places(const Listed& row) {
  constexpr std::size_t kAll = 3;
  if (row.runs.size() == kAll) return "everywhere";
  std::vector<std::string> words;
  for (const record::Backing backing : row.runs) words.push_back(to_string(backing));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string options(const Listed& row, Quote quote) {
  std::vector<std::string> forms;
  for (const OptionForm& option : row.options) forms.push_back(quote(form_of(option)));
  return fmt::format("{}", fmt::join(forms, ", "));
}

/// The table without its empty columns.
Table without_empty_columns(const Table& table) {
  Table kept{.headings = {}, .rows = std::vector<std::vector<std::string>>(table.rows.size())};
  for (std::size_t column = 0; column < table.headings.size(); ++column) {
    const auto empty = [column](const std::vector<std::string>& row) {
      return row[column].empty();
    };
    if (std::ranges::all_of(table.rows, empty)) continue;
    kept.headings.push_back(table.headings[column]);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      kept.rows[i].push_back(table.rows[i][column]);
    }
  }
  return kept;
}

Table table_of_names(const std::vector<Listed>& rows, Quote quote) {
  Table table{.headings = {{.name = "name", .left = true}}, .rows = {}};
  for (const Fact& fact : rows.front().facts) {
    const bool text = fact.cell.find_first_not_of("0123456789.") != std::string::npos;
    table.headings.push_back({.name = fact.heading, .unit = fact.unit, .left = text});
  }
  for (const char* heading : {"options", "runs", "is", "paper"}) {
    table.headings.push_back({.name = heading, .left = true});
  }
  for (const Listed& row : rows) {
    std::vector<std::string> cells{quote(row.name)};
    for (const Fact& fact : row.facts) cells.push_back(fact.cell);
    cells.insert(cells.end(), {options(row, quote), places(row), row.about, row.paper});
    table.rows.push_back(cells);
  }
  return without_empty_columns(table);
}

/// A table of options, one per row; names with the same option share it. No rows where no name has
/// options.
Table table_of_options(const std::vector<Listed>& rows, Quote quote) {
  Table table{.headings = {{.name = "option", .left = true},
                           {.name = "of", .left = true},
                           {.name = "default", .left = true},
                           {.name = "is", .left = true}},
              .rows = {}};
  for (const Listed& row : rows) {
    for (const OptionForm& option : row.options) {
      const std::vector<std::string> cells{quote(form_of(option)), quote(row.name),
                                           std::string(option.otherwise),
                                           std::string(option.about)};
      const auto same = std::ranges::find_if(table.rows, [&](const auto& other) {
        return other[0] == cells[0] && other[2] == cells[2] && other[3] == cells[3];
      });
      if (same == table.rows.end()) {
        table.rows.push_back(cells);
      } else {
        (*same)[1] += ", " + cells[1];
      }
    }
  }
  return table;
}

Json json_of(const Listed& row) {
  Json object{{"name", row.name}};
  for (const Fact& fact : row.facts) object["facts"][std::string(fact.heading)] = fact.cell;
  object["options"] = Json::array();
  for (const OptionForm& option : row.options) {
    object["options"].push_back({{"name", option.key},
                                 {"form", form_of(option)},
                                 {"default", option.otherwise},
                                 {"about", option.about}});
  }
  object["runs"] = Json::array();
  for (const record::Backing backing : row.runs) object["runs"].push_back(to_string(backing));
  object["about"] = row.about;
  object["paper"] = row.paper;
  return object;
}

}  // namespace

std::string list_table(const Registry& registry) {
  const std::vector<Listed> rows = registry.rows();
  const Table names = table_of_names(rows, plain);
  const Table options = table_of_options(rows, plain);
  std::string text = fmt::format("# {}: {}\n", registry.name, registry.about);
  text += text::format_columns(names.headings, names.rows);
  if (!options.rows.empty()) text += "#\n" + text::format_columns(options.headings, options.rows);
  return text;
}

std::string list_markdown(const Registry& registry) {
  const std::vector<Listed> rows = registry.rows();
  const Table names = table_of_names(rows, code);
  const Table options = table_of_options(rows, code);
  std::string text = text::format_markdown(names.headings, names.rows);
  if (!options.rows.empty()) text += "\n" + text::format_markdown(options.headings, options.rows);
  return text;
}

std::string list_json(std::span<const Registry> registries) {
  Json json = Json::object();
  for (const Registry& registry : registries) {
    Json& list = json[std::string(registry.name)] = Json::array();
    for (const Listed& row : registry.rows()) list.push_back(json_of(row));
  }
  return json.dump(2) + "\n";
}

std::string list_words(std::span<const Registry> registries) {
  std::string text;
  for (const Registry& registry : registries) {
    for (const Listed& row : registry.rows()) text += row.typed + "\n";
  }
  return text;
}

}  // namespace gradwire::commands
