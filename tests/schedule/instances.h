#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tests/schedule/passes.h"

/// Random backward passes and costs, the same on every run.
namespace gradwire::schedule::testing {

struct Instance {
  BackwardPass pass;
  Affine cost;
};

enum class Family {
  uniform,      ///< times, sizes, a and b
  exponential,  ///< times and sizes; a and b log-uniform over two decades
  heavy,        ///< log-normal times, sizes with a Pareto tail
  integer,      ///< few small whole numbers, 0 among times, a and b: ties everywhere
};

class Instances {
 public:
  explicit Instances(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] Instance next(Family family, std::size_t min_size, std::size_t max_size) {
    const auto size = std::uniform_int_distribution(min_size, max_size)(random_);
    std::vector<double> times;
    std::vector<double> bytes;
    for (std::size_t i = 0; i < size; ++i) {
      times.push_back(time(family));
      bytes.push_back(byte_count(family));
    }
    // A sixth of the layers takes no time, so that gradients become ready together.
    for (double& time : times) time *= uniform(0, 6) < 1 ? 0 : 1;
    const double a = parameter(family);
    return {pass_of(times, bytes), {.a = Seconds(a), .b = parameter(family)}};
  }

  /// Up to six points, times rising or falling.
  [[nodiscard]] CostTable table() {
    std::vector<TimedSize> points;
    double bytes = 0;
    const int size = std::uniform_int_distribution(1, 6)(random_);
    for (int i = 0; i < size; ++i) {
      bytes += uniform(0.01, 1.5);
      points.push_back({bytes, Seconds(uniform(0.01, 3))});
    }
    return CostTable(std::move(points));
  }

 private:
  double uniform(double from, double to) {
    return std::uniform_real_distribution(from, to)(random_);
  }
  double whole(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }

  double time(Family family) {
    switch (family) {
      case Family::uniform:
        return uniform(0, 1);
      case Family::exponential:
        return std::exponential_distribution(1.0)(random_);
      case Family::heavy:
        return std::lognormal_distribution(0.0, 1.0)(random_);
      case Family::integer:
        return whole(0, 3);
    }
    return 0;
  }

  double byte_count(Family family) {
    switch (family) {
      case Family::uniform:
        return uniform(0.001, 1);
      case Family::exponential:
        return 0.001 + std::exponential_distribution(1.0)(random_);
      case Family::heavy:
        return std::pow(uniform(0.001, 1), -1 / 1.2);
      case Family::integer:
        return whole(1, 3);
    }
    return 1;
  }

  double parameter(Family family) {
    switch (family) {
      case Family::uniform:
        return uniform(0, 2);
      case Family::exponential:
        return std::pow(10, uniform(-1, 1));
      case Family::heavy:
        return uniform(0, 1.5);
      case Family::integer:
        return whole(0, 4);
    }
    return 0;
  }

  std::mt19937_64 random_;
};

}  // namespace gradwire::schedule::testing
