#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/bcube.h"
#include "topologies/fat_tree.h"
#include "topologies/single_switch.h"
#include "topologies/topology.h"

namespace gradwire::topologies {
namespace {

using Built = std::unique_ptr<const Topology>;

/// One kind of wiring: how its name is written, and how it is built from the name's numbers.
struct Kind {
  std::string_view name;
  std::string_view form;
  std::size_t parameters;
  Built (*build)(std::span<const std::size_t> parameters);
};

constexpr std::array<Kind, 3> kKinds{{
    {"bcube", "bcube(n,k)", 2,
     [](std::span<const std::size_t> p) -> Built { return std::make_unique<BCube>(p[0], p[1]); }},
    {"fat-tree", "fat-tree(p)", 1,
     [](std::span<const std::size_t> p) -> Built { return std::make_unique<FatTree>(p[0]); }},
    {"single-switch", "single-switch(n)", 1,
     [](std::span<const std::size_t> p) -> Built { return std::make_unique<SingleSwitch>(p[0]); }},
}};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The text as a message may show it: on one line, and not longer than a line.
std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string copy(text.substr(0, kLongest));
  std::replace_if(
      copy.begin(), copy.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("'{}{}'", copy, text.size() > kLongest ? "..." : "");
}

const Kind& find_kind(std::string_view name) {
  const auto* const kind = std::ranges::find(kKinds, name, &Kind::name);
  if (kind == kKinds.end()) {
    std::string known;
    for (const Kind& one : kKinds)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", one.form);
    throw InputError(fmt::format("unknown wiring {}: the known ones are {}", shown(name), known));
  }
  return *kind;
}

std::size_t parse_parameter(std::string_view text, std::string_view whole) {
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range) {
    throw InputError(fmt::format("wiring {}: {} is too large", shown(whole), shown(text)));
  }
  if (error != std::errc() || stop != end || number == 0) {
    throw InputError(fmt::format("wiring {}: parameters are positive whole numbers, not {}",
                                 shown(whole), shown(text)));
  }
  return number;
}

std::vector<std::size_t> parse_parameters(std::string_view list, std::string_view whole) {
  std::vector<std::size_t> numbers;
  for (;;) {
    const std::size_t comma = list.find(',');
    numbers.push_back(parse_parameter(trimmed(list.substr(0, comma)), whole));
    if (comma == std::string_view::npos) return numbers;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::unique_ptr<const Topology> make_topology(std::string_view name) {
  const std::string_view whole = trimmed(name);
  const std::size_t open = whole.find('(');
  const Kind& kind = find_kind(trimmed(whole.substr(0, open)));
  const auto fail = [&](std::string_view what) {
    throw InputError(fmt::format("wiring {}: {}, write {}", shown(whole), what, kind.form));
  };
  if (open == std::string_view::npos) fail("the parameters in parentheses are missing");
  const std::size_t close = whole.find(')', open);
  if (close == std::string_view::npos) fail("the closing parenthesis is missing");
  if (close + 1 != whole.size()) fail("there is text after the closing parenthesis");
  const std::string_view list = whole.substr(open + 1, close - open - 1);
  // Counted before they are read, so that a list of a million numbers costs nothing.
  const auto count = static_cast<std::size_t>(std::ranges::count(list, ',')) + 1;
  if (trimmed(list).empty()) fail("the parameters are missing");
  if (count != kind.parameters) fail("that is not the right number of parameters");
  return kind.build(parse_parameters(list, whole));
}

}  // namespace gradwire::topologies
