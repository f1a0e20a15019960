#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

/// The report's page, which is built from results/web/ into the program.
namespace gradwire::report {

/// The page with the data in it, one HTML file that loads nothing. No text of the data is taken for
/// markup. Throws InputError when the program was built without the page.
[[nodiscard]] std::string report_page(const nlohmann::json& data);

/// The page's figures alone, as SVG texts by file name. Runs node on the page's own code, and
/// blocks until it is done. Throws InputError when the program was built without the page or node
/// cannot be started, SystemError when it fails.
[[nodiscard]] std::map<std::string, std::string> paper_figures(const nlohmann::json& data);

/// JSON as text. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::json& data);

/// JSON as text that is safe inside an HTML <script> element: it has no '<'. Otherwise as
/// json_text.
[[nodiscard]] std::string script_safe(const nlohmann::json& data);

}  // namespace gradwire::report
