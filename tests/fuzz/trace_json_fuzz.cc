#include "tests/fuzz/trace_round_trip.h"

/// Traces in JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gradwire::workloads::check_trace(gradwire::fuzz::text_of(data, size), "fuzz.json");
  return 0;
}
