#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <dlfcn.h>

#include "core/error.h"
#include "core/extent.h"
#include "core/refused_thread.h"
#include "library/gradwire.h"
#include "library/job.h"
#include "library/queue.h"
#include "library/settings.h"
#include "library/verification.h"

using gradwire::Dtype;
using gradwire::InputError;
using gradwire::library::Call;
using gradwire::library::Job;
using gradwire::library::Queue;
using gradwire::library::Started;
using gradwire::library::Verification;
using gradwire::library::Verified;

struct gradwire_job {
  explicit gradwire_job(gradwire::library::Settings settings)
      : job(std::move(settings)), verification(job), queue(verification) {}

  /// The reason of this thread's last failure.
  std::string& error() {
    const std::scoped_lock lock(mutex);
    return errors[std::this_thread::get_id()];
  }

  Job job;
  Verification verification;
  Queue queue;
  std::mutex mutex;
  std::map<std::thread::id, std::string> errors;  ///< guarded, but not the texts
};

struct gradwire_request {
  gradwire_job* job;
  std::shared_ptr<Started> started;
};

namespace {

/// Gives SIGHUP back to the program. UCX, where it is linked, takes it when it is loaded, for its
/// debugger.
[[gnu::constructor]] void give_hangups_back() {
  const auto give_back =
      reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "ucs_debug_disable_signals"));
  if (give_back != nullptr) give_back();
}

thread_local std::string error_of_init;

constexpr const char* kNoJob = "the job is NULL";
constexpr const char* kNoMemory = "there is no memory";

/// Runs `work`, and returns its code. The reason of a failure goes into the text at `place()`, on
/// one line.
template <class Place, class Work>
int code_of(const Place& place, const Work& work) noexcept {
  const auto failed = [&place](gradwire_code code, const char* why) {
    try {
      std::string& text = place();
      text = why;
      std::ranges::replace(text, '\n', ' ');
    } catch (const std::bad_alloc&) {
      // Then the code has to say it.
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
    return failed(GRADWIRE_MEMORY, kNoMemory);
  } catch (const std::exception& error) {
    if (const auto refused = gradwire::refused_thread(error)) {
      return failed(GRADWIRE_SYSTEM, refused->what());
    }
    return failed(GRADWIRE_INTERNAL, error.what());
  } catch (...) {
    return failed(GRADWIRE_INTERNAL, "an exception of no kind that Gradwire knows");
  }
}

template <class Work>
int on(gradwire_job* job, const Work& work) noexcept {
  if (job == nullptr) return GRADWIRE_INVALID;
  return code_of([job]() -> std::string& { return job->error(); }, work);
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

gradwire::Rank other_rank(int number) {
  if (number < 0) throw InputError("a rank is a number from 0");
  return gradwire::Rank(static_cast<std::size_t>(number));
}

void run(gradwire_job* job, const Call& call, void* buffer) {
  job->queue.await_idle();
  job->verification.run(call, buffer);
}

}  // namespace

extern "C" {

const char* gradwire_version(void) {
  return GRADWIRE_VERSION;
}

int gradwire_init(const char* const* options, gradwire_job** job) {
  if (job != nullptr) *job = nullptr;
  return code_of([]() -> std::string& { return error_of_init; },
                 [&] {
                   if (job == nullptr) throw InputError(kNoJob);
                   std::vector<std::string> texts;
                   for (; options != nullptr && *options != nullptr; ++options)
                     texts.emplace_back(*options);
                   *job = new gradwire_job(
                       gradwire::library::read_settings(texts, gradwire::library::variable));
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

int gradwire_verify(gradwire_job* job, gradwire_verified* found) {
  return on(job, [&] {
    if (found == nullptr) throw InputError("the argument found is NULL");
    job->queue.await_idle();
    const Verified& all = job->verification.check();
    *found = {.sums = all.sums,
              .elements = all.found.checked,
              .wrong = all.found.wrong,
              .not_finite = all.found.not_finite};
  });
}

int gradwire_send(gradwire_job* job, const void* buffer, size_t count, gradwire_type type, int to) {
  return on(job, [&] { job->job.send(other_rank(to), count, type_of(type), buffer); });
}

int gradwire_recv(gradwire_job* job, void* buffer, size_t count, gradwire_type type, int from) {
  return on(job, [&] { job->job.receive(other_rank(from), count, type_of(type), buffer); });
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
  if (job == nullptr) return error_of_init.c_str();
  try {
    return const_cast<gradwire_job*>(job)->error().c_str();
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  }
}

int gradwire_failed_rank(const gradwire_job* job) {
  if (job == nullptr || !job->job.culprit()) return -1;
  return static_cast<int>(job->job.culprit()->index());
}

void gradwire_abort(gradwire_job* job) {
  if (job != nullptr) job->job.abort();
}

void gradwire_finalize(gradwire_job* job) {
  delete job;
}

}  // extern "C"
