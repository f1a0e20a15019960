#include "harness/commands/man.h"

#include <filesystem>
#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "core/text/output_file.h"
#include "harness/commands/exit_code.h"
#include "results/record/build_info.h"

namespace gradwire::commands {
namespace {

using Pages = std::vector<std::pair<std::string, std::string>>;

/// The text escaped for roff: backslashes and minus signs stay as they are, and no line is taken
/// for a command.
std::string literal(const std::string& text) {
  std::string roff;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('.') || line.starts_with('\'')) roff += "\\&";
    for (const char c : line) {
      if (c == '\\') {
        roff += "\\e";
      } else if (c == '-') {
        roff += "\\-";
      } else {
        roff += c;
      }
    }
    roff += '\n';
  }
  return roff;
}

/// The page of a command; `words` lead to it: "gradwire topo show".
std::string page_of(const CLI::App& app, const std::string& name, const std::string& words,
                    const std::string& version) {
  std::string about = app.get_description();
  about = about.substr(0, about.find('\n'));
  std::string word = literal(name);
  word.pop_back();  // the end of its line
  return fmt::format(
      ".TH {} 1 \"\" \"{}\" \"User Commands\"\n"
      ".SH NAME\n{} \\- {}"
      ".SH DESCRIPTION\nThis is what \\fB{} \\-\\-help\\fR prints.\n"
      ".PP\n.nf\n{}.fi\n",
      name, version, word, literal(about), words,
      literal(app.get_formatter()->make_help(&app, words, CLI::AppFormatMode::Normal)));
}

void add_pages(Pages& pages, const CLI::App& app, const std::string& before,
               const std::string& version) {
  const std::string words = before.empty() ? app.get_name() : before + " " + app.get_name();
  std::string name = words;
  for (char& c : name) c = c == ' ' ? '-' : c;
  pages.emplace_back(name + ".1", page_of(app, name, words, version));
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (!command->get_group().empty()) add_pages(pages, *command, words, version);
  }
}

}  // namespace

Pages man_pages(const CLI::App& app, const std::string& version) {
  Pages pages;
  add_pages(pages, app, "", version);
  return pages;
}

void add_man_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("man", "Writes manual pages; for packages");
  command->group("");  // hidden
  const auto folder = std::make_shared<std::string>();
  command->add_option("folder", *folder, "where")->required();
  command->callback([folder, &app, &exit_code] {
    std::filesystem::create_directories(*folder);
    const std::string version = fmt::format("gradwire {}", record::build_info().version);
    for (const auto& [name, text] : man_pages(app, version)) {
      text::write_output_file(std::filesystem::path(*folder) / name, text);
    }
    exit_code = kExitOk;
  });
}

}  // namespace gradwire::commands
