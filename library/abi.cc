#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "core/error.h"
#include "core/extent.h"
#include "library/gradwire.h"
#include "library/job.h"
#include "library/queue.h"
#include "library/settings.h"

using gradwire::Dtype;
using gradwire::InputError;
using gradwire::library::Call;
using gradwire::library::Job;
using gradwire::library::Queue;
using gradwire::library::Started;

struct gradwire_job {
  explicit gradwire_job(gradwire::library::Settings settings)
      : job(std::move(settings)), queue(job) {}

  Job job;
  Queue queue;
  std::string error;
};

struct gradwire_request {
  gradwire_job* job;
  std::shared_ptr<Started> started;
};

namespace {

/// UCX, where it is linked, takes SIGHUP when it is loaded, to have itself debugged. It is the
/// program's.
[[gnu::constructor]] void give_hangups_back() {
  const auto give_back =
      reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "ucs_debug_disable_signals"));
  if (give_back != nullptr) give_back();
}

thread_local std::string error_of_init;

constexpr const char* kNoJob = "the job is NULL";

/// Runs `work`, and returns how it ended. Why it failed goes into `text`, on one line.
template <class Work>
int code_of(std::string& text, const Work& work) noexcept {
  const auto failed = [&text](gradwire_code code, const char* why) {
    try {
      text = why;
      std::ranges::replace(text, '\n', ' ');
    } catch (const std::bad_alloc&) {
      text.clear();
    }
    return code;
  };
  try {
    work();
    return GRADWIRE_OK;
  } catch (const InputError& error) {
    return failed(GRADWIRE_INVALID, error.what());
  } catch (const gradwire::FabricError& error) {
    return failed(GRADWIRE_FABRIC, error.what());
  } catch (const gradwire::SystemError& error) {
    return failed(GRADWIRE_SYSTEM, error.what());
  } catch (const std::bad_alloc&) {
    return failed(GRADWIRE_MEMORY, "there is no memory");
  } catch (const std::exception& error) {
    return failed(GRADWIRE_INTERNAL, error.what());
  } catch (...) {
    return failed(GRADWIRE_INTERNAL, "an exception of no kind that Gradwire knows");
  }
}

template <class Work>
int on(gradwire_job* job, const Work& work) noexcept {
  if (job == nullptr) return GRADWIRE_INVALID;
  return code_of(job->error, work);
}

Dtype type_of(gradwire_type type) {
  switch (type) {
    case GRADWIRE_FLOAT32:
      return Dtype::float32;
    case GRADWIRE_FLOAT64:
      return Dtype::float64;
    case GRADWIRE_FLOAT16:
      return Dtype::float16;
    case GRADWIRE_BFLOAT16:
      return Dtype::bfloat16;
    case GRADWIRE_INT32:
      return Dtype::int32;
    case GRADWIRE_INT64:
      return Dtype::int64;
    case GRADWIRE_BYTE:
      return Dtype::byte;
  }
  throw InputError("the type is none of enum gradwire_type");
}

void run(gradwire_job* job, const Call& call, void* buffer) {
  job->queue.await_idle();
  job->job.run(call, buffer);
}

}  // namespace

extern "C" {

const char* gradwire_version(void) {
  return GRADWIRE_VERSION;
}

int gradwire_init(const char* const* options, gradwire_job** job) {
  if (job != nullptr) *job = nullptr;
  return code_of(error_of_init, [&] {
    if (job == nullptr) throw InputError(kNoJob);
    std::vector<std::string> texts;
    for (; options != nullptr && *options != nullptr; ++options) texts.emplace_back(*options);
    *job = new gradwire_job(gradwire::library::read_settings(texts, gradwire::library::variable));
  });
}

int gradwire_rank(const gradwire_job* job) {
  return job == nullptr ? -1 : static_cast<int>(job->job.self().index());
}

int gradwire_ranks(const gradwire_job* job) {
  return job == nullptr ? -1 : static_cast<int>(job->job.ranks());
}

int gradwire_all_reduce(gradwire_job* job, void* buffer, size_t count, gradwire_type type) {
  return on(job, [&] { run(job, job->job.all_reduce(count, type_of(type)), buffer); });
}

int gradwire_reduce(gradwire_job* job, void* buffer, size_t count, gradwire_type type, int root) {
  return on(job,
            [&] { run(job, job->job.collective("reduce", count, type_of(type), root), buffer); });
}

int gradwire_broadcast(gradwire_job* job, void* buffer, size_t count, gradwire_type type,
                       int root) {
  return on(
      job, [&] { run(job, job->job.collective("broadcast", count, type_of(type), root), buffer); });
}

int gradwire_all_gather(gradwire_job* job, void* buffer, size_t count, gradwire_type type) {
  return on(job,
            [&] { run(job, job->job.collective("all-gather", count, type_of(type)), buffer); });
}

int gradwire_reduce_scatter(gradwire_job* job, void* buffer, size_t count, gradwire_type type) {
  return on(job,
            [&] { run(job, job->job.collective("reduce-scatter", count, type_of(type)), buffer); });
}

int gradwire_barrier(gradwire_job* job) {
  return on(job, [&] {
    job->queue.await_idle();
    job->job.barrier();
  });
}

int gradwire_part(const gradwire_job* job, int rank, size_t count, size_t* first, size_t* length) {
  if (job == nullptr || first == nullptr || length == nullptr || rank < 0 ||
      rank >= gradwire_ranks(job)) {
    return GRADWIRE_INVALID;
  }
  const gradwire::Extent part =
      gradwire::part({0, count}, job->job.ranks(), static_cast<size_t>(rank));
  *first = part.first;
  *length = part.count;
  return GRADWIRE_OK;
}

int gradwire_start_all_reduce(gradwire_job* job, void* buffer, size_t count, gradwire_type type,
                              gradwire_request** request) {
  return on(job, [&] {
    if (request == nullptr) throw InputError("the request is NULL");
    *request = nullptr;
    auto made = std::make_unique<gradwire_request>();
    made->job = job;
    made->started = job->queue.start(job->job.all_reduce(count, type_of(type)), buffer);
    *request = made.release();
  });
}

int gradwire_wait(gradwire_request* request) {
  if (request == nullptr) return GRADWIRE_INVALID;
  const std::unique_ptr<gradwire_request> mine(request);
  return on(mine->job, [&] { mine->started->wait(); });
}

int gradwire_test(const gradwire_request* request) {
  return request != nullptr && request->started->is_done() ? 1 : 0;
}

const char* gradwire_error_text(const gradwire_job* job) {
  return job == nullptr ? error_of_init.c_str() : job->error.c_str();
}

int gradwire_failed_rank(const gradwire_job* job) {
  if (job == nullptr || !job->job.culprit()) return -1;
  return static_cast<int>(job->job.culprit()->index());
}

void gradwire_finalize(gradwire_job* job) {
  delete job;
}

}  // extern "C"
