#include <string>
#include <vector>

#include "core/error.h"
#include "harness/run/verification.h"
#include "tests/fuzz/fuzz.h"

/// What ansible/verify.yml found of hosts, and all that a run makes of it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const auto verification = fuzz::value_of<InputError>(
      [&] { return run::parse_verification(fuzz::text_of(data, size), "fuzz.json"); });
  if (!verification) return 0;
  hosts::Inventory inventory{.file = "fuzz.yaml"};
  inventory.hosts = {{.name = "h0"}, {.name = "h1"}};
  const std::vector<std::string> objections =
      run::objections(*verification, inventory, "single-switch(2)");
  static_cast<void>(run::format_objections(*verification, objections));
  static_cast<void>(run::summary_of(*verification, objections).dump());
  return 0;
}
