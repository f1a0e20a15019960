#include "results/claims/lines.h"

#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "results/claims/formulas.h"
#include "schedule/cost.h"

namespace gradwire::claims {
namespace {

schedule::TimedSize point_of(const Result& row) {
  return {static_cast<double>(row.row->configuration.bytes()), Seconds(row.gst())};
}

}  // namespace

void judge_line(Entry in, const Rows& rows, std::string_view algorithm,
                std::optional<double> tolerance) {
  const std::vector<Result> sizes = rows.all({.algorithm = algorithm});
  ensure(sizes.size() > 2, "a line is judged by three sizes at least");
  const schedule::TimedSize ends[] = {point_of(sizes.front()), point_of(sizes.back())};
  const schedule::Affine line = schedule::fit_line(ends).line;
  for (std::size_t i = 1; i + 1 < sizes.size(); ++i) {
    const schedule::TimedSize point = point_of(sizes[i]);
    in.agrees(fmt::format("{} of {:.0f} bytes", algorithm, point.bytes), point.time.count(),
              ours(line.at(point.bytes).count()), tolerance);
  }
  const schedule::Affine all = line_through(rows, algorithm).line;
  in.say(fmt::format("{} {:.0f} us + {:.3f} ns/B", algorithm, all.a.count() * 1e6, all.b * 1e9));
}

}  // namespace gradwire::claims
