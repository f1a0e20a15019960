#include "library/pytorch/job.h"

#include <stdexcept>

#include <fmt/core.h>
#include <unistd.h>

namespace gradwire::pytorch {

Job join(const std::vector<std::string>& options) {
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  texts.push_back(nullptr);
  gradwire_job* job = nullptr;
  if (gradwire_init(texts.data(), &job) != GRADWIRE_OK) {
    throw std::runtime_error(fmt::format("gradwire: {}", gradwire_error_text(nullptr)));
  }
  // A process that was forked from this one has the memory of the job, and no part in it.
  return {job, [owner = ::getpid()](gradwire_job* held) {
            if (::getpid() == owner) gradwire_finalize(held);
          }};
}

void require_ok(const gradwire_job* job, std::string_view operation, int code) {
  if (code == GRADWIRE_OK) return;
  const int culprit = gradwire_failed_rank(job);
  const std::string blamed = culprit < 0 ? "" : fmt::format("rank {} is at fault: ", culprit);
  throw std::runtime_error(
      fmt::format("gradwire: {}: {}{}", operation, blamed, gradwire_error_text(job)));
}

}  // namespace gradwire::pytorch
