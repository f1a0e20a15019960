#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "transport/add.h"
#include "transport/cancellation.h"

/// Makes code under test do what a sanitizer must report: planted WHAT. Proves that the sanitizer is
/// in that code, not only in the test.
namespace {

using gradwire::transport::add;

/// Writes one number behind a block of the heap.
void overflow(const std::vector<float>& terms) {
  const auto sums = std::make_unique<float[]>(terms.size() - 1);
  add({sums.get(), terms.size()}, terms);
}

/// Reads numbers where none may stand.
void misaligned(const std::vector<float>& terms) {
  std::vector<float> sums(terms.size() + 1);
  auto* const bytes = reinterpret_cast<char*>(sums.data());
  add({reinterpret_cast<float*>(bytes + 1), terms.size()}, terms);
}

/// Two threads add to the same numbers.
void race(const std::vector<float>& terms) {
  std::vector<float> sums(terms.size());
  std::thread other([&] { add(sums, terms); });
  add(sums, terms);
  other.join();
}

void leak() {
  static_cast<void>(std::make_unique<gradwire::transport::Cancellation>().release());
}

}  // namespace

int main(int, char** words) {
  const std::string_view what = words[1];
  const std::vector<float> terms(64);
  if (what == "overflow") overflow(terms);
  if (what == "misaligned") misaligned(terms);
  if (what == "race") race(terms);
  if (what == "leak") leak();
}
