#include "harness/emulate/parse_hosts.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <fmt/core.h>

#include "core/error.h"
#include "core/to_number.h"

namespace gradwire::emulate {
namespace {

/// Adds the hosts of "5-7", or of "5".
void add_run(const std::string& run, std::size_t hosts, std::vector<Rank>& all) {
  const std::size_t dash = run.find('-');
  const Rank first = parse_host(run.substr(0, dash), hosts);
  const Rank last = dash == std::string::npos ? first : parse_host(run.substr(dash + 1), hosts);
  if (last < first) throw InputError(fmt::format("'{}' ends before it begins", run));
  for (std::size_t i = first.index(); i <= last.index(); ++i) all.emplace_back(i);
}

}  // namespace

Rank parse_host(std::string_view text, std::size_t hosts) {
  const auto number = to_number<std::size_t>(text);
  if (number && *number < hosts) return Rank(*number);
  throw InputError(fmt::format("expected a host from 0 to {}, found '{}'", hosts - 1, text));
}

std::vector<Rank> parse_hosts(std::string_view text, std::size_t hosts) {
  std::vector<Rank> all;
  std::istringstream runs{std::string(text)};
  for (std::string run; std::getline(runs, run, ',');) add_run(run, hosts, all);
  if (all.empty()) throw InputError("expected hosts such as 0,3,5-7");
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end()) throw InputError(fmt::format("host {} is named twice", twice->index()));
  return all;
}

}  // namespace gradwire::emulate
