#include <string>

#include "core/binary.h"
#include "core/error.h"
#include "harness/workers/mpi/relay_lines.h"
#include "harness/workers/session/mpirun_messages.h"
#include "tests/fuzz/fuzz.h"

/// What travels over mpirun's standard streams and between the relays of ranks, and what mpirun
/// and hosts print beside it.
namespace gradwire::workers {
namespace {

constexpr std::size_t kRanks = 4;

void check_lines(const std::string& line) {
  namespace lines = relay_lines;
  const auto told = fuzz::value_of<InternalError>([&] { return lines::parse_order(line, kRanks); });
  if (told) {
    fuzz::require(told->rank.index() < kRanks, "a line is to one of the ranks");
    const auto again = lines::parse_order(lines::order(told->rank, told->text), kRanks);
    fuzz::require(again == *told, "a line to a rank is read as it is written");
  }
  const auto heard =
      fuzz::value_of<InternalError>([&] { return lines::parse_answer(line, kRanks); });
  if (heard) {
    fuzz::require(heard->rank.index() < kRanks, "a line is from one of the ranks");
    const auto again = lines::parse_answer(lines::answer(heard->rank, heard->text), kRanks);
    fuzz::require(again == *heard, "a line from a rank is read as it is written");
  }
}

}  // namespace
}  // namespace gradwire::workers

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::workers;
  const std::string text(fuzz::text_of(data, size));
  check_lines(text);
  if (const auto texts = from_bytes<std::vector<std::string>>(text)) {
    fuzz::require(to_bytes(*texts) == text, "texts are read as they are written");
  }
  MpirunMessages messages({"h0", "h1", "h2", "h3"});
  const std::size_t half = text.size() / 2;
  static_cast<void>(messages.add(std::string_view(text).substr(0, half)));
  static_cast<void>(messages.add(std::string_view(text).substr(half)));
  fuzz::require(messages.summary().find('\n') == std::string::npos, "a summary is one line");
  return 0;
}
