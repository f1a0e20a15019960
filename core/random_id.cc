#include "core/random_id.h"

#include <random>

namespace gradwire {
namespace {

constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kLength = 6;

}  // namespace

std::string random_id() {
  std::random_device device;
  std::uniform_int_distribution<std::size_t> pick(0, kLetters.size() - 1);
  std::string id;
  while (id.size() < kLength) id += kLetters[pick(device)];
  return id;
}

bool is_random_id(std::string_view text) {
  return text.size() == kLength && text.find_first_not_of(kLetters) == std::string_view::npos;
}

}  // namespace gradwire
