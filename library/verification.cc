#include "library/verification.h"

#include <algorithm>
#include <bit>
#include <new>
#include <span>
#include <utility>

namespace gradwire::library {
namespace {

/// Most bytes that are kept for the next check, unless a single all-reduce has more.
constexpr std::size_t kMostKept = std::size_t{1} << 26;
/// Least bytes that a rank gives to one all-gather. Sizes are powers of two, so that ranks connect
/// for few of them.
constexpr std::size_t kLeastGathered = std::size_t{1} << 12;
constexpr std::size_t kMostGathered = std::size_t{1} << 18;

std::vector<std::byte> copy_of(const void* memory, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(memory);
  return {first, first + bytes};
}

}  // namespace

bool Verification::is_due(const Call& call) const {
  const Settings& settings = job_.settings();
  return settings.verify != 0 && run_ % settings.verify == 0 && call.count != 0 &&
         call.type != Dtype::byte && settings.ranks > 1;
}

void Verification::run(const Call& call, void* memory) {
  const bool is_all_reduce = call.collective == job_.settings().algorithm;
  if (!is_all_reduce || !is_due(call)) {
    job_.run(call, memory);
  } else {
    try {
      keep(call, memory);
    } catch (const std::bad_alloc&) {
      job_.abort();
      throw;
    }
  }
  if (is_all_reduce) ++run_;
}

void Verification::keep(const Call& call, void* memory) {
  const std::size_t bytes = bytes_of(call.count, call.type, memory);
  if (!kept_.empty() && kept_bytes_ + 2 * bytes > kMostKept) check();
  Kept fresh{.type = call.type, .term = copy_of(memory, bytes)};
  job_.run(call, memory);
  fresh.sums = copy_of(memory, bytes);
  kept_bytes_ += 2 * bytes;
  kept_.push_back(std::move(fresh));
}

const Verified& Verification::check() {
  for (Kept& kept : std::exchange(kept_, {})) check(kept);
  kept_bytes_ = 0;
  return verified_;
}

void Verification::check(Kept& kept) {
  const std::size_t whole = kept.term.size();
  const std::size_t each = std::clamp(std::bit_ceil(whole), kLeastGathered, kMostGathered);
  std::vector<std::byte> all(each * job_.ranks());
  const Call gather = job_.collective("all-gather", all.size(), Dtype::byte);
  for (std::size_t at = 0; at < whole; at += each) {
    const std::size_t bytes = std::min(each, whole - at);
    std::ranges::copy(std::span(kept.term).subspan(at, bytes),
                      std::span(all).subspan(each * job_.self().index()).begin());
    job_.run(gather, all.data());
    std::vector<Elements> terms;
    for (std::size_t rank = 0; rank < job_.ranks(); ++rank) {
      terms.emplace_back(std::span(all).subspan(rank * each, bytes), kept.type);
    }
    verified_.found += check_sums(terms, {std::span(kept.sums).subspan(at, bytes), kept.type});
  }
  ++verified_.sums;
}

}  // namespace gradwire::library
