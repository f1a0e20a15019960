#include "library/job.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/collective.h"
#include "library/agreement.h"
#include "library/surroundings.h"
#include "topologies/registry.h"
#include "transport/execution/executor.h"

namespace gradwire::library {
namespace {

using transport::store::Failure;

/// Most connections that are kept for later calls.
constexpr std::size_t kMostPrepared = 32;

std::string text_of(const Call& call) {
  return fmt::format("{} of {} {}", to_string(call.collective), call.count, to_string(call.type));
}

bool is_memory_registered(const execution::TransportSettings& transport) {
  return transport.kind != execution::TransportKind::tcp;
}

}  // namespace

std::size_t bytes_of(std::size_t count, Dtype type, const void* memory) {
  if (count > 0 && memory == nullptr) throw InputError("the buffer is NULL");
  const std::size_t each = size_of(type);
  if (count > std::numeric_limits<std::ptrdiff_t>::max() / each) {
    throw InputError(fmt::format("{} elements are more than memory can hold", count));
  }
  return count * each;
}

Job::Job(Settings settings) : settings_(std::move(settings)) {
  if (settings_.ranks == 1) return;
  wiring_ = topologies::make_topology(settings_.wiring);
  if (wiring_->hosts() != settings_.ranks) {
    throw InputError(fmt::format("the wiring {} has {} hosts, and the job {} ranks",
                                 wiring_->name(), wiring_->hosts(), settings_.ranks));
  }
  summing_ = algorithms::parse_algorithm(settings_.algorithm, *wiring_);
  require_all_reduce(summing_, self());
  open_store();
  ports_ = ports_of(settings_, *wiring_, client_->own_address());
  require_same_settings();
}

Job::~Job() {
  if (!client_) return;
  prepared_.clear();
  lines_.clear();
  try {
    client_->leave();
  } catch (const std::exception&) {
    // The store has gone; nobody is left to tell.
  }
  client_.reset();
  constexpr Nanoseconds kLastWords = std::chrono::seconds(1);
  if (server_) server_->await_departures(failure() ? kLastWords : settings_.timeout);
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
  const std::string digest = summing_.file_digest();
  const std::string algorithm = digest.empty() ? summing_.name() : digest;
  const std::string mine =
      fmt::format("wiring {}, algorithm {}, transport {}, integrity {}, verify {}", wiring_->name(),
                  algorithm, execution::to_string(settings_.transport.kind),
                  settings_.transport.check_frames ? "crc32c" : "off", settings_.verify);
  require_same(client_->all_gather(mine), self(), "has");
}

Call Job::all_reduce(std::size_t count, Dtype type) const {
  return {.collective = settings_.algorithm, .count = count, .type = type};
}

Call Job::collective(const std::string& name, std::size_t count, Dtype type,
                     std::optional<int> root) const {
  Call call{
      .collective = {.name = name}, .count = count, .type = type, .adds = collectives::adds(name)};
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
  if (const auto known = failure()) std::rethrow_exception(known);
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
  std::rethrow_exception(failure());
}

template <class Work>
void Job::collectively(const Work& work) {
  try {
    guarded(work);
  } catch (...) {
    prepared_.clear();  // so that peers who still wait for this rank see its connections end
    throw;
  }
}

void Job::fail(std::exception_ptr failure) {
  {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
  }
  cancellation_.request();
}

std::exception_ptr Job::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

void Job::abort() noexcept {
  if (!client_ || failure()) return;
  try {
    culprit_ = self().value;
    static_cast<void>(client_->report({.culprit = self(), .text = "it has given up"}));
  } catch (const std::exception&) {
    // Then the others find out when its connections end.
  }
  cancellation_.request();
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
  if (client_) collectively([this] { client_->barrier(); });
}

template <class Work>
void Job::on_line(const Line::Way& way, const Work& work) {
  if (way.from == way.to) throw InputError("a rank sends nothing to itself");
  if (way.from.index() >= ranks() || way.to.index() >= ranks()) {
    const Rank other = way.from == self() ? way.to : way.from;
    throw InputError(fmt::format("rank {} is none of {} ranks", other.index(), ranks()));
  }
  std::unique_lock lock(mutex_);
  std::unique_ptr<Line>& line = lines_[{way.from, way.to}];
  lock.unlock();
  try {
    guarded([&] {
      if (!line) line = std::make_unique<Line>(*wiring_, way, ends(), *client_);
      work(*line);
    });
  } catch (...) {
    line.reset();  // so that its other end sees that it is over, after the store has heard why
    throw;
  }
}

void Job::send(Rank to, std::size_t count, Dtype type, const void* memory) {
  const std::size_t bytes = bytes_of(count, type, memory);
  on_line({.from = self(), .to = to}, [&](Line& line) {
    line.send({.count = count, .type = type}, {static_cast<const std::byte*>(memory), bytes});
  });
}

void Job::receive(Rank from, std::size_t count, Dtype type, void* memory) {
  const std::size_t bytes = bytes_of(count, type, memory);
  on_line({.from = from, .to = self()}, [&](Line& line) {
    line.receive({.count = count, .type = type}, {static_cast<std::byte*>(memory), bytes});
  });
}

void Job::run(const Call& call, void* memory) {
  if (call.adds && call.type == Dtype::byte) throw InputError("bytes are moved, and never added");
  if (call.count == 0 || ranks() == 1) return;
  const std::size_t bytes = bytes_of(call.count, call.type, memory);
  const Elements elements({static_cast<std::byte*>(memory), bytes}, call.type);
  if (failure() || recall(call)) {
    collectively([&] { execute(elements); });
    return;
  }
  const Plan plan = plan_of(call);
  collectively([&] {
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
  const algorithms::Amount amount{.elements = call.count};
  const algorithms::Algorithm collective = algorithms::parse_algorithm(call.collective, *wiring_);
  collective.check_size(amount, {});
  return collective.plan(self(), amount);
}

void Job::prepare(const Call& call, const Plan& plan, Elements elements) {
  require_same(client_->all_gather(text_of(call)), self(), "calls");
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
