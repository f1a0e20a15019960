#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

/// Numbers that the papers print: those of results/reference/, by their ids.
namespace gradwire::claims {

/// Whether a text is the id of a published number, such as "BML-29a".
[[nodiscard]] bool is_printed(std::string_view text);
/// A published number as a paper has it: "18.7-56.4 %", "2*(N-1)/N T_F".
[[nodiscard]] std::string printed(std::string_view id);
/// A published number; of a range or sequence, item `index`. Throws InputError for an id that no
/// file has, for what is no number, and for an item that is not there.
[[nodiscard]] double number_of(std::string_view id, std::size_t index = 0);

/// A replacement of published numbers: while it lives, number_of() returns what `instead` makes of
/// the printed number. Tests learn by it which printed numbers a claim rests on, and move them. At
/// most one lives at a time, and claims are judged by its thread alone.
class NumbersInstead {
 public:
  using Instead = std::function<double(std::string_view id, std::size_t index, double printed)>;

  explicit NumbersInstead(Instead instead);
  ~NumbersInstead();
  NumbersInstead(const NumbersInstead&) = delete;
  NumbersInstead& operator=(const NumbersInstead&) = delete;
};

}  // namespace gradwire::claims
