#include <array>
#include <cctype>
#include <string>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/json.h"
#include "harness/workers/control.h"
#include "harness/workers/culprit.h"
#include "harness/workers/failure.h"
#include "harness/workers/job.h"
#include "results/record/rank_iteration.h"
#include "tests/fuzz/fuzz.h"

/// What the messages between the harness and its workers say: jobs, requests, answers, failures.
namespace gradwire::workers {
namespace {

using nlohmann::json;

/// A wiring of many hosts takes its time to be made, and comes from our own harness.
bool names_large_wiring(const json& job) {
  if (!job.is_object() || !job.contains("wiring") || !job["wiring"].is_string()) return false;
  std::size_t digits = 0;
  for (const char c : job["wiring"].get<std::string>()) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (digits > 1) return true;
  }
  return false;
}

using text::to_json;

template <class T>
T read_fields(const json& source) {
  return text::from_json<T>(source, "body");
}

/// Reads, writes and reads again; what is written then is the same.
template <class Reader>
void check(const Reader& reader, const json& source) {
  const auto value = fuzz::value_of<InternalError>([&] { return reader(source); });
  if (!value) return;
  const json written = to_json(*value);
  const auto again = fuzz::value_of<InternalError>([&] { return reader(written); });
  fuzz::require(again.has_value(), "what was written of a message is one");
  fuzz::require(to_json(*again) == written, "a message is read as it is written");
}

/// What the harness makes of a failure, whatever it says.
void tell(const json& source) {
  const auto failure = fuzz::value_of<InternalError>([&] { return failure_from_json(source); });
  if (!failure) return;
  const std::array<RankEnd, 2> ends{{{.rank = Rank(0), .failure = failure, .ending = {}},
                                     {.rank = Rank(1), .failure = {}, .ending = "exited with 0"}}};
  static_cast<void>(std::string(find_culprit(ends).what()));
}

void read_body(Message kind, const json& body) {
  if (kind == Message::job && !names_large_wiring(body)) check(job_from_json, body);
  if (kind == Message::ready) check(read_fields<JobPlan>, body);
  if (kind == Message::iterate) check(read_fields<IterationRequest>, body);
  if (kind == Message::iterated) check(record::rank_iteration_from_json, body);
  if (kind == Message::transfers && body.is_array()) {
    for (const json& transfer : body) check(record::traced_transfer_from_json, transfer);
  }
  if (kind == Message::failed) {
    check(failure_from_json, body);
    tell(body);
  }
}

}  // namespace
}  // namespace gradwire::workers

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::workers;
  const auto message =
      fuzz::value_of<InternalError>([&] { return parse_message(fuzz::text_of(data, size)); });
  if (message) read_body(message->kind, message->body);
  return 0;
}
