#include "harness/commands/list.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "harness/commands/exit_code.h"
#include "harness/commands/list_text.h"
#include "harness/commands/registries.h"

namespace gradwire::commands {
namespace {

struct ListRequest {
  std::string what;
  bool json = false;
  bool markdown = false;
  bool words = false;
};

/// The registry that is asked for, or all.
std::span<const Registry> asked(const std::string& what) {
  const std::span<const Registry> all = registries();
  if (what.empty()) return all;
  const auto found = std::ranges::find(all, what, &Registry::name);
  return all.subspan(static_cast<std::size_t>(found - all.begin()), 1);
}

std::string text_of(const ListRequest& request) {
  const std::span<const Registry> registries = asked(request.what);
  if (request.json) return list_json(registries);
  if (request.words) return list_words(registries);
  std::vector<std::string> tables;
  for (const Registry& registry : registries) {
    tables.push_back(request.markdown ? list_markdown(registry) : list_table(registry));
  }
  return fmt::format("{}", fmt::join(tables, "\n"));
}

}  // namespace

void add_list_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "list", "Lists names of wirings, algorithms and more, with options and papers");
  const auto request = std::make_shared<ListRequest>();
  std::vector<std::string> names;
  for (const Registry& registry : registries()) names.emplace_back(registry.name);
  command->add_option("what", request->what, "which names; default: all")
      ->check(CLI::IsMember(names));
  CLI::Option* const json =
      command->add_flag("--json", request->json, "print one JSON document, for programs");
  CLI::Option* const markdown =
      command->add_flag("--markdown", request->markdown, "print tables for a page");
  command->add_flag("--names", request->words, "print the names alone, a line each")
      ->excludes(json)
      ->excludes(markdown);
  markdown->excludes(json);
  command->callback([request, &exit_code] {
    fmt::print("{}", text_of(*request));
    exit_code = kExitOk;
  });
}

}  // namespace gradwire::commands
