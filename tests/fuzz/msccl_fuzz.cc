#include "collectives/plan_files/msccl.h"
#include "collectives/plan_files/plan_reader.h"
#include "collectives/plan_files/plan_writer.h"
#include "tests/fuzz/plan_proof.h"

/// Algorithms in MSCCL's form, up to their proof. What is read of one can be written as a plan file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  using namespace gradwire::plan_files;
  const auto file = fuzz::value_of<InputError>(
      [&] { return parse_msccl(fuzz::text_of(data, size), "fuzz.xml"); });
  if (!file) return 0;
  const std::string text = to_text(*file);
  fuzz::require(to_text(parse_plan_file(text, "again.json")) == text,
                "an algorithm is read as it is written");
  fuzz::try_proof(*file);
  return 0;
}
