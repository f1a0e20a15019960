#include "library/job.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include <fmt/core.h>

#include "core/goal.h"
#include "harness/execution/executor.h"
#include "harness/names/algorithms.h"
#include "harness/names/plan_files.h"
#include "library/surroundings.h"
#include "topologies/registry.h"

namespace gradwire::library {
namespace {

using transport::store::Failure;

/// Connections that are kept for calls to come.
constexpr std::size_t kMostPrepared = 32;

std::string text_of(const Call& call) {
  return fmt::format("{} of {} {}", to_string(call.collective), call.count, to_string(call.type));
}

/// The first rank that does not say what most say; nothing where all say the same.
std::optional<Rank> odd_one(std::span<const std::string> all) {
  const auto like = [&](const std::string& one) { return std::ranges::count(all, one); };
  const auto usual = std::ranges::max_element(all, {}, like);
  const auto odd = std::ranges::find_if(all, [&](const std::string& one) { return one != *usual; });
  if (odd == all.end()) return std::nullopt;
  return Rank(static_cast<std::size_t>(odd - all.begin()));
}

bool is_memory_registered(const names::TransportSettings& transport) {
  return transport.kind != names::TransportKind::tcp;
}

}  // namespace

Job::Job(Settings settings) : settings_(std::move(settings)) {
  if (settings_.ranks == 1) return;
  wiring_ = topologies::make_topology(settings_.wiring);
  if (wiring_->hosts() != settings_.ranks) {
    throw InputError(fmt::format("the wiring {} has {} hosts, and the job {} ranks",
                                 wiring_->name(), wiring_->hosts(), settings_.ranks));
  }
  require_all_reduce();
  open_store();
  ports_ = ports_of(settings_, *wiring_, client_->own_address());
  require_same_settings();
}

Job::~Job() {
  if (!client_) return;
  prepared_.clear();
  try {
    client_->leave();
  } catch (const std::exception&) {
    // The store has gone; nobody is left to tell.
  }
  client_.reset();
  constexpr Nanoseconds kLastWords = std::chrono::seconds(1);
  if (server_) server_->await_departures(failure_ ? kLastWords : settings_.timeout);
}

void Job::require_all_reduce() const {
  const text::Spec& algorithm = settings_.algorithm;
  const std::string reached = names::collective_of(algorithm);
  if (reached != "all-reduce") {
    throw InputError(fmt::format("algorithm {} is for {}", to_string(algorithm), reached));
  }
  if (names::is_plan_file(algorithm)) names::prove_plan_file(algorithm, *wiring_);
  const Call any = all_reduce(settings_.ranks, Dtype::float32);
  static_cast<void>(names::make_plan(algorithm, *wiring_, self(), {.elements = any.count}));
  const Goal goal = names::goal_of(algorithm, *wiring_, {.elements = any.count});
  if (contributors(goal).size() != settings_.ranks) {
    throw InputError(
        fmt::format("with {} not every rank has a gradient of its own", to_string(algorithm)));
  }
}

void Job::open_store() {
  const transport::tcp::Listening store = store_of(settings_);
  const transport::RunKey key = key_of(settings_.secret);
  if (self().index() == 0) {
    server_ = std::make_unique<transport::store::Server>(
        transport::store::Server::Options{.at = store, .ranks = settings_.ranks, .key = key});
  }
  client_ = std::make_unique<transport::store::Client>(
      transport::store::Client::Options{.store = store,
                                        .self = self(),
                                        .ranks = settings_.ranks,
                                        .key = key,
                                        .timeout = settings_.timeout},
      cancellation_, clock_);
}

void Job::require_same_settings() {
  const std::string algorithm = names::names_file(settings_.algorithm)
                                    ? names::file_digest(settings_.algorithm)
                                    : to_string(settings_.algorithm);
  const std::vector<std::string> all = client_->all_gather(
      fmt::format("wiring {}, algorithm {}, transport {}, integrity {}", wiring_->name(), algorithm,
                  names::to_string(settings_.transport.kind),
                  settings_.transport.check_frames ? "crc32c" : "off"));
  const auto odd = odd_one(all);
  if (!odd) return;
  const std::size_t other = odd->index() == 0 ? 1 : 0;
  throw FabricError(
      FabricFailure::refused, {.rank = self(), .peer = odd},
      fmt::format("it has {}, and rank {} has {}", all[odd->index()], other, all[other]));
}

Call Job::all_reduce(std::size_t count, Dtype type) const {
  return {.collective = settings_.algorithm, .count = count, .type = type};
}

Call Job::collective(const std::string& name, std::size_t count, Dtype type,
                     std::optional<int> root) const {
  Call call{.collective = {.name = name}, .count = count, .type = type};
  if (!root) return call;
  if (*root < 0 || static_cast<std::size_t>(*root) >= ranks()) {
    throw InputError(fmt::format("root {} is none of {} ranks", *root, ranks()));
  }
  call.collective.options["root"] = std::to_string(*root);
  return call;
}

std::optional<Rank> Job::culprit() const {
  const std::int64_t culprit = culprit_;
  if (culprit < 0) return std::nullopt;
  return Rank(static_cast<std::size_t>(culprit));
}

template <class Work>
void Job::guarded(const Work& work) {
  if (failure_) std::rethrow_exception(failure_);
  try {
    work();
    return;
  } catch (const FabricError& seen) {
    fail(std::make_exception_ptr(judged(seen)));
  } catch (const std::exception& error) {
    static_cast<void>(client_->report({.culprit = self(), .text = error.what()}));
    culprit_ = self().value;
    fail(std::current_exception());
  }
  std::rethrow_exception(failure_);
}

void Job::fail(std::exception_ptr failure) {
  failure_ = std::move(failure);
  cancellation_.request();
  prepared_.clear();  // so that peers who still wait for this rank see its connections end
}

FabricError Job::judged(const FabricError& seen) {
  const FabricPlace& place = seen.place();
  std::optional<Rank> culprit = place.peer;
  if (!culprit && place.rank != self()) culprit = place.rank;
  const bool is_echo = seen.failure() == FabricFailure::cancelled;
  auto said =
      is_echo ? client_->failure() : client_->report({.culprit = culprit, .text = seen.what()});
  if (!said && !is_echo)
    said = {.culprit = Rank(0), .text = "the store, which is its process, says nothing"};
  if (said && said->culprit != culprit) {
    culprit = said->culprit;
    if (culprit) culprit_ = culprit->value;
    return {FabricFailure::peer_closed, {.rank = self(), .peer = culprit}, said->text};
  }
  if (culprit) culprit_ = culprit->value;
  return seen;
}

void Job::barrier() {
  if (client_) guarded([this] { client_->barrier(); });
}

void Job::run(const Call& call, void* memory) {
  const bool adds = call.collective.name != "broadcast" && call.collective.name != "all-gather";
  if (adds && call.type == Dtype::byte) throw InputError("bytes are moved, and never added");
  if (call.count == 0 || ranks() == 1) return;
  if (memory == nullptr) throw InputError("the buffer is NULL");
  const std::size_t each = size_of(call.type);
  if (call.count > std::numeric_limits<std::ptrdiff_t>::max() / each) {
    throw InputError(fmt::format("{} elements are more than memory can hold", call.count));
  }
  const Elements elements({static_cast<std::byte*>(memory), call.count * each}, call.type);
  if (failure_ || recall(call)) {
    guarded([&] { execute(elements); });
    return;
  }
  const Plan plan = plan_of(call);
  guarded([&] {
    prepare(call, plan, elements);
    execute(elements);
  });
}

void Job::execute(Elements elements) {
  Prepared& prepared = prepared_.front();
  const auto kept = prepared.registered.elements().bytes();
  const auto given = elements.bytes();
  if (kept.empty()) {
    prepared.executor->move_to(elements);
    prepared.executor->execute();
    return;
  }
  std::ranges::copy(given, kept.begin());
  prepared.executor->execute();
  std::ranges::copy(kept, given.begin());
}

bool Job::recall(const Call& call) {
  const auto found = std::ranges::find(prepared_, call, &Prepared::call);
  if (found == prepared_.end()) return false;
  prepared_.splice(prepared_.begin(), prepared_, found);
  return true;
}

Plan Job::plan_of(const Call& call) const {
  const names::Amount amount{.elements = call.count};
  names::check_size(call.collective, ranks(), amount, {});
  return names::make_plan(call.collective, *wiring_, self(), amount);
}

void Job::prepare(const Call& call, const Plan& plan, Elements elements) {
  require_same_call(call);
  // All ranks make the same calls, so all give up the same one.
  if (prepared_.size() == kMostPrepared) prepared_.pop_back();
  Prepared fresh{.call = call};
  if (is_memory_registered(settings_.transport)) {
    fresh.registered = ElementBuffer(call.type, call.count);
    elements = fresh.registered.elements();
  }
  fresh.executor = execution::make_executor(in_stages({plan}), elements, ends());
  prepared_.push_front(std::move(fresh));
}

void Job::require_same_call(const Call& call) {
  const std::vector<std::string> all = client_->all_gather(text_of(call));
  const auto odd = odd_one(all);
  if (!odd) return;
  const std::size_t other = odd->index() == 0 ? 1 : 0;
  throw FabricError(
      FabricFailure::refused, {.rank = self(), .peer = odd},
      fmt::format("it calls {}, and rank {} {}", all[odd->index()], other, all[other]));
}

execution::RankEnds Job::ends() {
  return {.self = self(),
          .ports = ports_,
          .transport = settings_.transport,
          .key = client_->job_key(),
          .timeout = settings_.timeout,
          .rendezvous = *client_,
          .cancellation = cancellation_,
          .clock = clock_};
}

}  // namespace gradwire::library
