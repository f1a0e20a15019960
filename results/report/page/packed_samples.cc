#include "results/report/page/packed_samples.h"

#include <array>
#include <bit>
#include <vector>

#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

namespace gradwire::report {
namespace {

std::string packed_times(double factor, std::span<const double> numbers, std::size_t every) {
  static_assert(std::endian::native == std::endian::little);
  std::vector<unsigned char> bytes;
  bytes.reserve(sizeof(float) * (numbers.size() / every + 1));
  for (std::size_t i = 0; i < numbers.size(); i += every) {
    const auto value = std::bit_cast<std::array<unsigned char, sizeof(float)>>(
        static_cast<float>(numbers[i] * factor));
    bytes.insert(bytes.end(), value.begin(), value.end());
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  bytes.insert(bytes.end(), padding, 0);  // read by the last digits, which '=' then replaces
  using Digits = boost::archive::iterators::base64_from_binary<
      boost::archive::iterators::transform_width<const unsigned char*, 6, 8>>;
  std::string text(Digits(bytes.data()), Digits(bytes.data() + bytes.size()));
  text.replace(text.size() - padding, padding, padding, '=');
  return text;
}

}  // namespace

std::string packed(std::span<const double> numbers, std::size_t every) {
  return packed_times(1, numbers, every);
}

std::string packed_microseconds(std::span<const double> seconds, std::size_t every) {
  return packed_times(1e6, seconds, every);
}

}  // namespace gradwire::report
