#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "results/record/row.h"
#include "results/record/stored_run.h"
#include "results/report/compare/difference.h"
#include "results/report/compare/rank_statistics.h"
#include "results/report/gate.h"

/// Comparison of two runs of the same points, before and after: `gradwire compare A B`.
namespace gradwire::report {

/// Probability of calling a point faster or slower that is not.
inline constexpr double kSignificance = 0.05;

/// Judgement of B's times against A's.
enum class Verdict : std::uint8_t {
  same,      ///< no difference shown at kSignificance
  faster,    ///< B takes less time
  slower,    ///< B takes more time
  untested,  ///< a simulation has one time, or the iterations are too few for any difference to
             ///< show
};

/// The verdict as text: "same", "faster", "slower", "-".
[[nodiscard]] std::string_view to_string(Verdict verdict);

/// Times of one point in both runs, compared; undilated seconds.
struct Contrast {
  std::size_t n_a = 0;
  std::size_t n_b = 0;
  double median_a = 0;
  double median_b = 0;
  RatioEstimate ratio;
  std::optional<RankTest> test;  ///< absent when untested
  Verdict verdict = Verdict::untested;
};

/// Compares two samples. Requires times above 0, at least one each; throws InternalError otherwise.
[[nodiscard]] Contrast contrast(std::span<const double> a, std::span<const double> b);

struct PointComparison {
  record::Configuration configuration;  ///< A's
  Contrast gst;
  std::optional<Contrast> iteration;  ///< times of a training job's iterations
  std::vector<std::string> flags_a;   ///< row_flags
  std::vector<std::string> flags_b;
  const record::Row* row_a = nullptr;  ///< row of run A, as row_b of B; never null
  const record::Row* row_b = nullptr;
  std::int64_t wrong = 0;  ///< elements, in both runs
  Seconds measured{};      ///< all of B's iterations together
};

/// Whether the point's flags, in both runs, let its ratio count; see spoils() in
/// results/record/flags.h.
[[nodiscard]] bool is_fit(const PointComparison& point);

struct RunComparison {
  const record::StoredRun& a;
  const record::StoredRun& b;
  std::vector<PointComparison> points;  ///< in A's order
  std::vector<record::Configuration> only_a;
  std::vector<record::Configuration> only_b;
  std::vector<Difference> differences;  ///< refusing ones first

  [[nodiscard]] bool refused() const;
  /// Whether any point of either run has wrong elements, compared or not.
  [[nodiscard]] bool wrong_data() const;
  /// Geometric mean of the GST ratios of the points that are fit; absent without such.
  [[nodiscard]] std::optional<double> mean_gst_ratio() const;
  /// Geometric mean of the iteration ratios of the training jobs that are fit; absent without such.
  [[nodiscard]] std::optional<double> mean_iteration_ratio() const;
};

/// Compares two runs. Points are matched by backing and key, the rest by backing and configuration,
/// in order where several fit. Matched points are refused for other dilations, profiles, hosts or
/// ports, and for wrong elements; the runs are refused when they have no point in common. Warnings
/// are for other numbers of iterations, other bounds of points that are no training jobs, keys that
/// differ without a known reason, and a run that is not complete. The runs must outlive the result.
[[nodiscard]] RunComparison compare_runs(const record::StoredRun& a, const record::StoredRun& b);

}  // namespace gradwire::report
