#include "tests/faults/loopback/stream.h"

#include <array>
#include <thread>
#include <utility>

#include "transport/handshake.h"

namespace gradwire::faults {

using What = StreamFault::What;

std::string Stream::take(std::string_view arrived) {
  waiting_ += arrived;
  std::string onward;
  while (!is_silent_ && !is_cut_ && waiting_.size() >= size_of(unit_)) {
    const std::size_t size = size_of(unit_);
    onward += pass(waiting_.substr(0, size));
    waiting_.erase(0, size);
    ++unit_;
  }
  return onward;
}

std::size_t Stream::size_of(std::size_t unit) const {
  using namespace transport;
  constexpr std::array kToAcceptor{kGreetingBytes, sizeof(Mac)};
  constexpr std::array kToCaller{kChallengeBytes, kVerdictBytes};
  if (unit < kToCaller.size()) return (fault_.to_caller ? kToCaller : kToAcceptor)[unit];
  return fault_.frames[(unit - kToCaller.size()) % fault_.frames.size()];
}

std::string Stream::pass(std::string unit) {
  if (unit_ == fault_.unit) {
    incident_.note();
    return strike(std::move(unit));
  }
  if (fault_.what == What::replay && unit_ == fault_.other) kept_ = unit;
  if (fault_.what == What::swap && unit_ == fault_.unit + 1) return unit + kept_;
  return unit;
}

std::string Stream::strike(std::string unit) {
  switch (fault_.what) {
    case What::flip:
      for (const std::size_t bit : fault_.bits) {
        char& byte = unit.at(bit / 8);
        byte = static_cast<char>(byte ^ (1 << bit % 8));
      }
      return unit;
    case What::swap:
      kept_ = std::move(unit);
      return "";
    case What::repeat:
      return unit + unit;
    case What::replay:
      return kept_;
    case What::drop:
      return "";
    case What::truncate:
      return unit.substr(0, fault_.kept);
    case What::cut:
      is_cut_ = true;
      return unit.substr(0, fault_.kept);
    case What::delay:
      std::this_thread::sleep_for(fault_.delay);
      return unit;
    case What::silence:
      is_silent_ = true;
      return unit.substr(0, fault_.kept);
  }
  return unit;
}

}  // namespace gradwire::faults
