#include "harness/workers/session/mpirun_messages.h"

#include <algorithm>
#include <regex>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "text/text_check.h"

namespace gradwire::workers {
namespace {

constexpr std::size_t kLastLines = 12;
/// Bytes of a line that are looked at. A host can print what it likes.
constexpr std::size_t kLongestLine = 4096;

Rank rank_of(const std::string& digits) {
  return Rank(std::stoul(digits));
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
  static const std::regex kSignal(R"(process rank (\d{1,6}) .*exited on signal (\d{1,3} \(.*\)))");
  static const std::regex kImproper(R"(process rank (\d{1,6}) with PID \d+ on\s*$)");
  static const std::regex kName(R"(Process name: \[\[\d+,\d+\],(\d{1,6})\])");
  static const std::regex kExit(R"(Exit code: +(\d{1,6}))");
  static const std::regex kDaemon(R"(Remote daemon: .* on node (\S+))");
  std::smatch match;
  std::optional<KeptEnding> ending;
  if (std::regex_search(line, match, kSignal)) {
    ending = {.rank = rank_of(match[1]),
              .ending = fmt::format("was killed by signal {}", match[2].str())};
  } else if (std::regex_search(line, match, kImproper)) {
    ending = {.rank = rank_of(match[1]), .ending = "ended without a word"};
  } else if (std::regex_search(line, match, kName)) {
    failed_ = rank_of(match[1]);
  } else if (failed_ && std::regex_search(line, match, kExit)) {
    ending = {.rank = *std::exchange(failed_, std::nullopt),
              .ending = fmt::format("exited with {}", match[1].str())};
  } else if (std::regex_search(line, match, kDaemon)) {
    const auto host = std::ranges::find(hosts_, match[1].str());
    if (host != hosts_.end()) {
      ending = {.rank = Rank(static_cast<std::size_t>(host - hosts_.begin())),
                .ending = "is on a host that mpirun has lost",
                .host_lost = true};
    }
  }
  last_.push_back(std::move(line));
  if (last_.size() > kLastLines) last_.pop_front();
  return ending;
}

std::string MpirunMessages::summary() const {
  return text::plain_line(fmt::format("{}", fmt::join(last_, " / ")));
}

}  // namespace gradwire::workers
