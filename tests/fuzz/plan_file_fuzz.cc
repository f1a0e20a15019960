#include "collectives/plan_files/plan_file.h"
#include "collectives/plan_files/plan_reader.h"
#include "collectives/plan_files/plan_writer.h"
#include "tests/fuzz/plan_proof.h"

/// Plan files that users write down, up to their proof.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::plan_files;
  const auto file = fuzz::value_of<InputError>(
      [&] { return parse_plan_file(fuzz::text_of(data, size), "fuzz.json"); });
  if (!file) return 0;
  const std::string text = to_text(*file);
  fuzz::require(to_text(parse_plan_file(text, "again.json")) == text,
                "a plan file is read as it is written");
  fuzz::try_proof(*file);
  return 0;
}
