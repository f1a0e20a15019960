#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// One number, order or fact that is held against a claim.
namespace gradwire::claims {

/// Origin of evidence.
enum class Column : std::uint8_t { theory, simulated, measured };
inline constexpr std::size_t kColumns = 3;

/// Value that a number is held against.
struct Expected {
  double value = 0;
  bool is_published = false;  ///< printed in the paper, a printed formula's value, or stated there
};

/// A number that the paper prints, the value of a formula that it prints, or 0 of what it says is
/// not there. Never the time of a stored run, nor what a line through such times gives.
[[nodiscard]] constexpr Expected paper(double value) {
  return {value, true};
}
/// A number that this project's own code or runs give.
[[nodiscard]] constexpr Expected ours(double value) {
  return {value, false};
}

enum class Relation : std::uint8_t {
  near,   ///< value is within a share `tolerance` of what is expected
  count,  ///< a whole number, and the same as what is expected
  less,   ///< value is below what is expected
  holds,  ///< value is 1: a fact is true
};

/// Evidence for or against a claim.
struct Check {
  Column column = Column::theory;
  Column strictness = Column::theory;  ///< the column whose limits hold (check.cc)
  Relation relation = Relation::near;
  std::string name;  ///< name that the table shows
  double value = 0;
  Expected expected;
  double tolerance = 0;     ///< share of what is expected, for `near`
  bool is_judged = true;    ///< false: shown beside what is printed, and known to differ
  bool is_refused = false;  ///< rests on rows whose flags say that their times are not to be used

  /// value / expected - 1 of a number; 0 for an order or a fact. Where 0 is expected, the value.
  [[nodiscard]] double deviation() const;
  /// Whether it contradicts its claim. What is refused or not judged never does.
  [[nodiscard]] bool fails() const;
  /// Whether it is a number that counts as evidence, and of which a deviation can be given.
  [[nodiscard]] bool is_compared() const;
  /// The largest deviation that is called reproduced: 0.5 % in theory, 1 % simulated, 3 % measured.
  [[nodiscard]] double reproduced_within() const;
  /// Description of what is wrong, where it fails.
  [[nodiscard]] std::string complaint() const;
};

/// Share that a column allows unless a claim says: 0.1 % in theory, 1 % simulated, 5 % measured.
[[nodiscard]] double usual_tolerance(Column column);

}  // namespace gradwire::claims
