#include "core/random_id.h"

#include <random>
#include <string_view>

namespace gradwire {

std::string random_id() {
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> pick(0, kLetters.size() - 1);
  std::string id;
  for (int i = 0; i < 6; ++i) id += kLetters[pick(device)];
  return id;
}

}  // namespace gradwire
