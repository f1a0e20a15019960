#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire man FOLDER`, which writes a manual page for the program and for every command. It
/// is hidden in help, as packages are made with it. May be added in any order: `app` is read when
/// the command runs. `exit_code` must outlive the app.
void add_man_command(CLI::App& app, int& exit_code);

/// The manual pages of `app` and of every command below it that help shows, as file name and roff
/// text: "gradwire-topo-show.1". A page has the text of --help and no other. `version` is in its
/// footer.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> man_pages(
    const CLI::App& app, const std::string& version);

}  // namespace gradwire::commands
