#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace gradwire::commands {

/// `gradwire man FOLDER`, which help hides: packages are made with it. Writes a manual page for the
/// program and for every command. Add it in any order: `app` is read when the command runs.
/// `exit_code` must outlive the app.
void add_man_command(CLI::App& app, int& exit_code);

/// A manual page for `app` and for every command below it that help shows, as file name and roff text:
/// "gradwire-topo-show.1". A page is what --help prints, so that it has no words of its own. `version`
/// stands at the foot.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> man_pages(
    const CLI::App& app, const std::string& version);

}  // namespace gradwire::commands
