#pragma once

namespace gradwire::simulator {

/// A sum whose terms come and go millions of times without errors that grow. What each addition
/// rounds off is added up beside the sum, so that terms which have gone leave nothing behind but
/// what lies 32 digits below the largest of them.
class ExactSum {
 public:
  void add(double term) {
    // Knuth's TwoSum: `sum` is rounded, and what follows is exactly the rounding error.
    const double sum = high_ + term;
    const double added = sum - high_;
    low_ += (high_ - (sum - added)) + (term - added);
    high_ = sum;
  }
  void subtract(double term) { add(-term); }
  /// Adds `now`, and takes away `before`.
  void replace(double before, double now) {
    add(now);
    add(-before);
  }
  void clear() { high_ = low_ = 0; }

  [[nodiscard]] double value() const { return high_ + low_; }

 private:
  double high_ = 0;
  double low_ = 0;
};

}  // namespace gradwire::simulator
