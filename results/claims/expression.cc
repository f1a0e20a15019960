#include "results/claims/expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "results/claims/printed.h"
#include "schedule/cost.h"

namespace gradwire::claims {
namespace {

/// Depth to which a text may be an expression with texts that are expressions.
constexpr int kMostNested = 20;

struct Operator {
  std::string_view token;
  int level;
  double (*apply)(double left, double right);
};

constexpr int kTightest = 3;
constexpr Operator kOperators[] = {
    {"and ", 0, [](double left, double right) { return left != 0 && right != 0 ? 1.0 : 0.0; }},
    {"<=", 1, [](double left, double right) { return left <= right ? 1.0 : 0.0; }},
    {">=", 1, [](double left, double right) { return left >= right ? 1.0 : 0.0; }},
    {"==", 1, [](double left, double right) { return left == right ? 1.0 : 0.0; }},
    {"<", 1, [](double left, double right) { return left < right ? 1.0 : 0.0; }},
    {">", 1, [](double left, double right) { return left > right ? 1.0 : 0.0; }},
    {"+", 2, [](double left, double right) { return left + right; }},
    {"-", 2, [](double left, double right) { return left - right; }},
    {"*", 3, [](double left, double right) { return left * right; }},
    {"/", 3, [](double left, double right) { return left / right; }},
};

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The line through the times of an algorithm's rows, by their bytes: its a and b, those of the line
/// through the first and the last alone (end_a, end_b), and the bytes of these two.
Numbers line_through(const Rows& rows, const std::string& algorithm) {
  std::vector<schedule::TimedSize> points;
  for (const Result& row : rows.all({.algorithm = algorithm})) {
    points.push_back({static_cast<double>(row.row->configuration.bytes()), Seconds(row.gst())});
  }
  const schedule::TimedSize ends[] = {points.front(), points.back()};
  const schedule::Affine all = schedule::fit_line(points).line;
  const schedule::Affine between = schedule::fit_line(ends).line;
  return {{"a", all.a.count()},         {"b", all.b},
          {"end_a", between.a.count()}, {"end_b", between.b},
          {"first", ends[0].bytes},     {"last", ends[1].bytes}};
}

/// Reads and evaluates an expression from left to right.
class Parser {
 public:
  Parser(std::string_view text, const Scope& scope, int nested)
      : rest_(text), scope_(scope), nested_(nested) {
    if (nested > kMostNested) throw InputError("an expression is made of itself");
  }

  Value all() {
    Value value = binary(0);
    if (skip(); !rest_.empty()) throw InputError(fmt::format("'{}' is not understood", rest_));
    return value;
  }

  double number(const Value& value) {
    if (const auto* const number = std::get_if<double>(&value)) return *number;
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr) throw InputError("a number is wanted, not a row or several numbers");
    return is_printed(*text) ? number_of(*text) : Parser(*text, scope_, nested_ + 1).any_number();
  }
  double any_number() { return number(all()); }

 private:
  void skip() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) {
      rest_.remove_prefix(1);
    }
  }

  bool takes(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void expect(std::string_view token) {
    if (!takes(token)) throw InputError(fmt::format("'{}' is missing before '{}'", token, rest_));
  }

  std::string_view take_name() {
    const auto end = std::ranges::find_if_not(rest_, is_in_name);
    const std::string_view name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(name.size());
    return name;
  }

  /// Reads what binds as tightly as operators of this level, or more.
  Value binary(int level) {
    if (level > kTightest) return power();
    Value left = binary(level + 1);
    while (const Operator* const joins = taken(level)) {
      const double first = number(left);
      left = joins->apply(first, number(binary(level + 1)));
    }
    return left;
  }

  const Operator* taken(int level) {
    for (const Operator& one : kOperators) {
      if (one.level == level && takes(one.token)) return &one;
    }
    return nullptr;
  }

  Value power() {
    if (takes("-")) return -number(power());
    Value base = part();
    if (!takes("^")) return base;
    const double first = number(base), second = number(power());
    return std::pow(first, second);
  }

  /// Reads a value, and any quantities or items of it that follow.
  Value part() {
    Value value = primary();
    while (true) {
      if (takes(".")) {
        value = quantity(value, take_name());
      } else if (takes("[")) {
        const auto* const id = std::get_if<std::string>(&value);
        if (id == nullptr) throw InputError("only of published numbers there are items");
        const auto index = static_cast<std::size_t>(number(binary(0)));
        expect("]");
        value = number_of(*id, index);
      } else {
        return value;
      }
    }
  }

  Value quantity(const Value& of, std::string_view name) const {
    if (const auto* const numbers = std::get_if<Numbers>(&of)) {
      const auto found = numbers->find(name);
      if (found != numbers->end()) return found->second;
    } else if (!std::holds_alternative<double>(of) && !std::holds_alternative<std::string>(of)) {
      if (const auto found = quantity_of(row(of), name)) return *found;
    }
    throw InputError(fmt::format("there is no quantity '{}'", name));
  }

  [[nodiscard]] Result row(const Value& selected) const {
    if (const auto* const found = std::get_if<Result>(&selected)) return *found;
    if (scope_.rows == nullptr) throw InputError("there are no rows in theory");
    return scope_.rows->at(std::get<Wanted>(selected));
  }

  Value primary() {
    skip();
    if (takes("(")) {
      Value value = binary(0);
      expect(")");
      return value;
    }
    if (takes("'")) {
      const std::size_t end = std::min(rest_.find('\''), rest_.size());
      const std::string_view text = rest_.substr(0, end);
      rest_.remove_prefix(end);
      expect("'");
      return expand(text, scope_);
    }
    if (!rest_.empty() && '0' <= rest_.front() && rest_.front() <= '9') {
      double value = 0;
      const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
      return value;
    }
    return named();
  }

  /// A published number, a formula or a variable.
  Value named() {
    const std::string_view before = rest_;
    const std::string_view name = take_name();
    if (name.empty()) throw InputError(fmt::format("'{}' is not understood", before));
    if (rest_.starts_with('-')) {
      const std::size_t end = before.find_first_not_of("0123456789", name.size() + 1);
      for (const std::size_t size : {std::min(end, before.size()) + 1, end}) {
        if (!is_printed(before.substr(0, size))) continue;
        rest_ = before.substr(std::min(size, before.size()));
        return std::string(before.substr(0, size));
      }
    }
    if (takes("(")) return call(name);
    const auto found = scope_.variables.find(name);
    if (found == scope_.variables.end()) {
      throw InputError(fmt::format("nothing is called '{}'", name));
    }
    return found->second;
  }

  Value call(std::string_view name) {
    std::vector<Value> arguments;
    while (!takes(")")) {
      if (!arguments.empty()) expect(",");
      Value argument = binary(0);
      const auto* const text = std::get_if<std::string>(&argument);
      if (text != nullptr && is_printed(*text)) argument = number_of(*text);
      arguments.push_back(std::move(argument));
    }
    if (name != "line_through") return formula(name, arguments);
    const auto* const algorithm =
        arguments.empty() ? nullptr : std::get_if<std::string>(&arguments.front());
    if (scope_.rows == nullptr || algorithm == nullptr) {
      throw InputError("a line goes through the rows of an algorithm");
    }
    return line_through(*scope_.rows, *algorithm);
  }

  std::string_view rest_;
  const Scope& scope_;
  int nested_;
};

/// The end of the brace whose inside begins at `begin`: its expression may hold braces in quotes.
std::size_t end_of_brace(std::string_view text, std::size_t begin) {
  bool is_quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '\'') is_quoted = !is_quoted;
    if (text[i] == '}' && !is_quoted) return i;
  }
  throw InputError(fmt::format("a brace is not closed: '{}'", text));
}

std::string fill(std::string_view brace, const Scope& scope, std::optional<double> own) {
  // No expression has a colon but between quotes, and no format a quote.
  const std::size_t quoted = brace.rfind('\'') == brace.npos ? 0 : brace.rfind('\'');
  const std::size_t colon = std::min(brace.find(':', quoted), brace.size());
  const std::string_view expression = brace.substr(0, colon);
  const bool has_format = colon < brace.size();
  if (expression.empty() && !own) throw InputError("{} shows a number, and there is none");
  const Value value = expression.empty() ? Value(*own) : evaluate(expression, scope);
  const auto* const text = std::get_if<std::string>(&value);
  if (text != nullptr && !has_format) return is_printed(*text) ? printed(*text) : *text;
  const double number = Parser("", scope, 0).number(value);
  try {
    return fmt::format(fmt::runtime(fmt::format("{{{}}}", brace.substr(colon))), number);
  } catch (const fmt::format_error& error) {
    throw InputError(fmt::format("'{}': {}", brace, error.what()));
  }
}

}  // namespace

Value evaluate(std::string_view expression, const Scope& scope) {
  return Parser(expression, scope, 0).all();
}

double evaluate_number(std::string_view expression, const Scope& scope) {
  return Parser(expression, scope, 0).any_number();
}

std::string expand(std::string_view text, const Scope& scope, std::optional<double> value) {
  std::string expanded;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t brace = std::min(text.find('{', at), text.size());
    expanded += text.substr(at, brace - at);
    if (brace == text.size()) break;
    const std::size_t end = end_of_brace(text, brace + 1);
    expanded += fill(text.substr(brace + 1, end - brace - 1), scope, value);
    at = end + 1;
  }
  return expanded;
}

}  // namespace gradwire::claims
