#include "results/report/page/page.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/file.h"
#include "results/report/page/assets.h"
#include "results/report/page/child_filter.h"

namespace gradwire::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kMarker = "@GRADWIRE_DATA@";

void require_assets() {
  if (!page_template().empty()) return;
  throw InputError(
      "this gradwire was built without the report page: npm was missing (packages.txt), or "
      "GRADWIRE_REPORT_PAGE was off");
}

}  // namespace

std::string json_text(const json& data) {
  return data.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string script_safe(const json& data) {
  const std::string text = json_text(data);
  std::string safe;
  safe.reserve(text.size());
  std::size_t from = 0;
  // In JSON, '<' can only be in a string.
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', from)) {
    safe.append(text, from, at - from);
    safe += "\\u003c";
    from = at + 1;
  }
  safe.append(text, from);
  return safe;
}

std::string report_page(const json& data) {
  require_assets();
  const std::string_view page = page_template();
  const std::size_t at = page.find(kMarker);
  ensure(at != std::string_view::npos, "the page has a place for its data");
  std::string text(page.substr(0, at));
  text += script_safe(data);
  text += page.substr(at + kMarker.size());
  return text;
}

std::map<std::string, std::string> paper_figures(const json& data) {
  require_assets();
  const TemporaryFile program(paper_program(), ".mjs");
  const std::string figures = filter_through({"node", program.path().string()}, json_text(data));
  try {
    return json::parse(figures).get<std::map<std::string, std::string>>();
  } catch (const json::exception& error) {
    throw InternalError(std::string("the page's figures: ") + error.what());
  }
}

}  // namespace gradwire::report
