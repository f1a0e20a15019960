#include "results/report/profile_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <ranges>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"
#include "core/units.h"

namespace gradwire::report {
namespace {

/// Width of the whole backward pass in characters.
constexpr double kWidth = 40;

/// The share of a part; 0 where the whole is 0.
double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

std::string percent(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

/// A bar from one share of the backward pass to a later one. No time is a point.
std::string bar(double begin, double end) {
  const auto first = static_cast<std::size_t>(std::min(std::round(begin * kWidth), kWidth - 1));
  const auto last = static_cast<std::size_t>(std::round(end * kWidth));
  if (end <= begin) return std::string(first, ' ') + '.';
  return std::string(first, ' ') + std::string(std::max(last, first + 1) - first, '=');
}

std::string head(const workloads::Profile& profile) {
  return fmt::format(
      "# {}\n# {} layers, {} B of gradients; forward {} us, backward {} us\n"
      "# In the order of the backward pass. ready: since it began; time%, size%: how much of its "
      "time has passed\n"
      "# then, and how much of the gradients is ready.\n#\n",
      workloads::provenance(profile), profile.layers.size(), profile.elements() * sizeof(float),
      text::microseconds(profile.forward()), text::microseconds(profile.backward()));
}

}  // namespace

std::string draw_profile(const workloads::Profile& profile) {
  constexpr auto kProfileHeadings =
      std::to_array<text::Heading>({{"tensor", "", true},
                                    {"size", "(B)"},
                                    {"backward", "(us)"},
                                    {"ready", "(us)"},
                                    {"time%"},
                                    {"size%"},
                                    {"from begin to end of the pass", "", true}});
  const Seconds whole = profile.backward();
  const auto elements = static_cast<double>(profile.elements());
  std::vector<std::vector<std::string>> rows;
  Seconds ready{};
  std::size_t sum = 0;
  for (const workloads::Layer& layer : std::views::reverse(profile.layers)) {
    const double begin = share(ready.count(), whole.count());
    ready += layer.backward;
    sum += layer.elements();
    const double end = std::min(share(ready.count(), whole.count()), 1.0);
    rows.push_back({layer.name, fmt::to_string(layer.elements() * sizeof(float)),
                    text::microseconds(layer.backward), text::microseconds(ready), percent(end),
                    percent(share(static_cast<double>(sum), elements)), bar(begin, end)});
  }
  return head(profile) + text::format_columns(kProfileHeadings, rows);
}

}  // namespace gradwire::report
