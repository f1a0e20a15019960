#include "harness/run/jobs/measured_company.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

namespace gradwire::run {
namespace {

/// A job is slowed down by more than rounding.
constexpr double kSlower = 1 + 1e-9;

/// Measures some of the jobs at once, and keeps what all measurements have in common.
class CompanyMeter {
 public:
  CompanyMeter(const MeasureJobs& measure, const CompanyToMeasure& jobs)
      : measure_(measure), jobs_(jobs) {}

  /// Seconds of an iteration, by place in `some`, each of whose iterations takes at least alone[i] and,
  /// as simulated, at most `slowest` times that.
  std::vector<double> measure(const std::vector<std::size_t>& some, double slowest,
                              const std::string& what) {
    std::vector<simulator::Tenant> tenants;
    double end = 0;
    double longest = 0;
    for (const std::size_t job : some) {
      tenants.push_back(jobs_.tenants[job]);
      const double iteration = slowest * jobs_.simulated.alone[job];
      longest = std::max(longest, iteration);
      end = std::max(end, tenants.back().start.count() +
                              iteration * static_cast<double>(tenants.back().iterations));
    }
    JobsToRun run{.tenants = tenants,
                  .algorithms = jobs_.algorithms,
                  .runs = jobs_.runs,
                  .expected = Seconds(end),
                  .longest = Seconds(longest)};
    for (const std::size_t job : some) run.iterations.push_back(iterations_until(end, job));
    MeasuredJobs measured = measure_(run, what);
    std::vector<double> means;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const double last = middle_run(measured, i).ends.back();
      means.push_back((last - tenants[i].start.count()) /
                      static_cast<double>(tenants[i].iterations));
      found_.verified += measured.verified[i];
      found_.wrong += measured.wrong[i];
    }
    found_.runs += measured.runs.size();
    found_.disturbed += measured.disturbed;
    found_.flags.insert(measured.flags.begin(), measured.flags.end());
    return means;
  }

  [[nodiscard]] MeasuredCompany take(simulator::Company company) {
    found_.company = std::move(company);
    return std::move(found_);
  }

 private:
  /// Iterations that count, and as many more as keep the others company until then.
  [[nodiscard]] std::size_t iterations_until(double end, std::size_t job) const {
    const simulator::Tenant& tenant = jobs_.tenants[job];
    const double alone = jobs_.simulated.alone[job];
    if (alone <= 0) return tenant.iterations;
    const double fit = std::ceil((end - tenant.start.count()) / alone / kSlower);
    return std::max(tenant.iterations, static_cast<std::size_t>(std::max(fit, 0.0)));
  }

  const MeasureJobs& measure_;
  const CompanyToMeasure& jobs_;
  MeasuredCompany found_;
};

}  // namespace

MeasuredCompany measure_company(const MeasureJobs& measure, const CompanyToMeasure& jobs) {
  const simulator::Company& simulated = jobs.simulated;
  const std::size_t count = jobs.tenants.size();
  CompanyMeter meter(measure, jobs);
  simulator::Company company{.links = simulated.links};
  std::vector<std::size_t> all;
  double slowest = 1;
  for (std::size_t job = 0; job < count; ++job) {
    company.alone.push_back(meter.measure({job}, 1, fmt::format("job {} alone", job)).front());
    all.push_back(job);
    if (simulated.alone[job] <= 0) continue;
    slowest = std::max(slowest, simulated.together[job] / simulated.alone[job]);
  }
  company.together = meter.measure(all, slowest, "all jobs");
  if (simulated.slowdown.empty()) return meter.take(std::move(company));
  company.slowdown.assign(count, std::vector<double>(count, 0));
  for (std::size_t i = 0; i < count; ++i) {
    company.slowdown[i][i] = 1;
    for (std::size_t j = 0; j < i; ++j) {
      const double slower = std::max(simulated.slowdown[i][j], simulated.slowdown[j][i]);
      if (slower <= kSlower) continue;
      const auto two = meter.measure({i, j}, slower, fmt::format("jobs {} and {}", j, i));
      company.slowdown[i][j] = two[0] / company.alone[i];
      company.slowdown[j][i] = two[1] / company.alone[j];
    }
  }
  return meter.take(std::move(company));
}

}  // namespace gradwire::run
