#pragma once

#include <string_view>

/// Files built from results/web/. Empty where it was not built.
namespace gradwire::report {

/// The text of report.html, with the marker @GRADWIRE_DATA@ where the data goes.
[[nodiscard]] std::string_view page_template();
/// The text of paper.mjs: a program for node that reads the data on stdin and writes {"name.svg":
/// "<svg..."}.
[[nodiscard]] std::string_view paper_program();

}  // namespace gradwire::report
