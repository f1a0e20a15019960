#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

/// What fuzz targets have in common. A target is a function of bytes that anybody may have sent: it
/// returns when a reader has made a value of them or has refused them as its header says. Whatever
/// else leaves it is a finding.
namespace gradwire::fuzz {

/// What a reader made does not hold. No target catches it.
class Finding : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Throws Finding unless `holds`. `what` goes on after "expected that".
inline void require(bool holds, const std::string& what) {
  if (!holds) throw Finding("expected that " + what);
}

/// The input as a text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// What `read` returns; nothing where it throws one of the errors that its header promises.
template <class Refusal, class... More, class Read>
std::optional<std::invoke_result_t<Read>> value_of(const Read& read) {
  try {
    if constexpr (sizeof...(More) == 0) {
      return read();
    } else {
      return value_of<More...>(read);
    }
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

/// Takes decisions from an input, then its rest. Without bytes every decision is 0.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  /// A number from 0 to 255.
  [[nodiscard]] std::uint8_t byte() {
    if (left_.empty()) return 0;
    const std::uint8_t next = left_.front();
    left_ = left_.subspan(1);
    return next;
  }
  [[nodiscard]] bool flag() { return (byte() & 1) != 0; }
  /// A number below `end`, which is at most 65536.
  [[nodiscard]] std::size_t below(std::size_t end) {
    const std::size_t high = byte();
    return (high * 256 + byte()) % end;
  }
  /// At most so many of the bytes that are left.
  [[nodiscard]] std::span<const std::uint8_t> take(std::size_t most) {
    const auto taken = left_.first(most < left_.size() ? most : left_.size());
    left_ = left_.subspan(taken.size());
    return taken;
  }
  [[nodiscard]] std::span<const std::uint8_t> rest() const { return left_; }
  [[nodiscard]] std::string_view text() const { return text_of(left_.data(), left_.size()); }
  [[nodiscard]] bool done() const { return left_.empty(); }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace gradwire::fuzz

/// What libFuzzer and replay_main.cc call. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
