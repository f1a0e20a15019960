#include "harness/workers/session/mpirun_messages.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/text/text_check.h"
#include "core/to_number.h"

namespace gradwire::workers {
namespace {

constexpr std::size_t kLastLines = 12;
/// Bytes of a line that are looked at. A host can print what it likes.
constexpr std::size_t kLongestLine = 4096;

/// Text that stands behind another, the first time that the other occurs.
std::optional<std::string_view> behind(std::string_view line, std::string_view text) {
  const std::size_t at = line.find(text);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + text.size());
}

/// The whole number that a text begins with, of at most six digits; taken off the text.
std::optional<std::size_t> take_number(std::string_view& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits > 6) return std::nullopt;
  const auto number = to_number<std::size_t>(text.substr(0, digits));
  if (number) text.remove_prefix(digits);
  return number;
}

/// "... process rank 3 with PID 67 on node h3 exited on signal 9 (Killed).", or the first of the two
/// lines "... process rank 2 with PID 69 on", "node h2 exiting improperly."
std::optional<KeptEnding> process_ending(std::string_view line) {
  std::string_view rest = behind(line, "process rank ").value_or("");
  const auto rank = take_number(rest);
  if (!rank) return std::nullopt;
  if (const auto signal = behind(rest, " exited on signal ")) {
    const std::string_view name = signal->substr(0, signal->rfind(')') + 1);
    if (name.empty()) return std::nullopt;
    return KeptEnding{.rank = Rank(*rank), .ending = fmt::format("was killed by signal {}", name)};
  }
  if (!rest.starts_with(" with PID ") || !text::trimmed(rest).ends_with(" on")) {
    return std::nullopt;
  }
  return KeptEnding{.rank = Rank(*rank), .ending = "ended without a word"};
}

/// "  Process name: [[27862,1],3]"
std::optional<Rank> failed_process(std::string_view line) {
  std::string_view rest = behind(line, "Process name: [[").value_or("");
  rest = behind(rest, "],").value_or("");
  const auto rank = take_number(rest);
  return rank && rest.starts_with(']') ? std::optional(Rank(*rank)) : std::nullopt;
}

/// "  Exit code:    5"
std::optional<std::size_t> exit_code(std::string_view line) {
  std::string_view rest = behind(line, "Exit code: ").value_or("");
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return take_number(rest);
}

/// "  Remote daemon: [[1,0],2] on node h2"
std::optional<std::string_view> lost_host(std::string_view line) {
  const auto daemon = behind(line, "Remote daemon: ");
  const auto host = daemon ? behind(*daemon, " on node ") : std::nullopt;
  return host ? std::optional(host->substr(0, host->find_first_of(" \t\r"))) : std::nullopt;
}

/// Lines of dashes frame what mpirun says. It sometimes warns of an agent that was faster than it.
bool says_something(const std::string& line) {
  return line.find_first_not_of("- \t\r") != std::string::npos &&
         line.find("plm:rsh: Warning: setpgid") == std::string::npos;
}

}  // namespace

std::vector<KeptEnding> MpirunMessages::add(std::string_view text) {
  std::vector<KeptEnding> endings;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    unfinished_ += text.substr(0, std::min(end, kLongestLine - unfinished_.size()));
    if (end == text.size()) break;
    if (auto ending = take(std::exchange(unfinished_, {}))) endings.push_back(std::move(*ending));
    text.remove_prefix(end + 1);
  }
  return endings;
}

std::optional<KeptEnding> MpirunMessages::take(std::string line) {
  if (!says_something(line)) return std::nullopt;
  if (auto kept = parse_keeper_line(line)) return kept;
  std::optional<KeptEnding> ending = ending_in(line);
  last_.push_back(std::move(line));
  if (last_.size() > kLastLines) last_.pop_front();
  return ending;
}

std::optional<KeptEnding> MpirunMessages::ending_in(std::string_view line) {
  if (auto ending = process_ending(line)) return ending;
  if (const auto rank = failed_process(line)) {
    failed_ = rank;
  } else if (const auto code = failed_ ? exit_code(line) : std::nullopt) {
    return KeptEnding{.rank = *std::exchange(failed_, std::nullopt),
                      .ending = fmt::format("exited with {}", *code)};
  } else if (const auto lost = lost_host(line)) {
    const auto host = std::ranges::find(hosts_, *lost);
    if (host == hosts_.end()) return std::nullopt;
    return KeptEnding{.rank = Rank(static_cast<std::size_t>(host - hosts_.begin())),
                      .ending = "is on a host that mpirun has lost",
                      .host_lost = true};
  }
  return std::nullopt;
}

std::string MpirunMessages::summary() const {
  return text::plain_line(fmt::format("{}", fmt::join(last_, " / ")));
}

}  // namespace gradwire::workers
