#include "transport/device/pattern.h"

#include "core/error.h"

namespace gradwire::transport::device {
namespace {

/// Calls use(elements, run) for each run of `part`, in order: elements whose numbers share a rule.
template <class Use>
void for_each_run(const DeviceElements& part, const Pattern& pattern, std::optional<Rank> rank,
                  std::size_t first, Use use) {
  ensure(part.type() == pattern.type(), "a gradient is of the pattern's type");
  for (const PatternRun& run : pattern.runs({.first = first, .count = part.size()}, rank)) {
    use(part.part({.first = run.begin - first, .count = run.end - run.begin}), run);
  }
}

}  // namespace

void fill(Stream& stream, DeviceElements part, const Pattern& pattern, Rank rank,
          std::size_t first) {
  for_each_run(part, pattern, rank, first,
               [&](DeviceElements elements, const PatternRun& run) { stream.fill(elements, run); });
}

std::optional<std::size_t> find_damaged(Stream& stream, DeviceElements part, const Pattern& pattern,
                                        Rank rank, std::size_t first) {
  std::optional<std::size_t> damaged;
  for_each_run(part, pattern, rank, first, [&](DeviceElements elements, const PatternRun& run) {
    if (!damaged) damaged = stream.compare(elements, run).first;
  });
  return damaged;
}

std::size_t count_wrong(Stream& stream, DeviceElements part, const Pattern& pattern,
                        std::size_t first) {
  std::size_t wrong = 0;
  for_each_run(part, pattern, std::nullopt, first,
               [&](DeviceElements elements, const PatternRun& run) {
                 wrong += stream.compare(elements, run).count;
               });
  return wrong;
}

}  // namespace gradwire::transport::device
