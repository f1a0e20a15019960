#include "core/text/lowercase.h"

namespace gradwire::text {

std::string lowercase(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return small;
}

}  // namespace gradwire::text
