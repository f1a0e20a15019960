#include "library/line.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "collectives/algorithms/collectives.h"
#include "core/error.h"

// A line has Plans for messages of 1, 2, 4, ... bytes up to its largest piece, as stages of one Plan that
// share connections: a message is sent as its largest pieces, and then one for each bit of what is left.
// Before it goes a head, which says how large it is and of what.
namespace gradwire::library {
namespace {

constexpr std::size_t kLargestPiece = std::size_t{1} << 20;
constexpr std::size_t kPieceSizes = std::bit_width(kLargestPiece);

struct Head {
  std::uint64_t count = 0;
  std::uint64_t type = 0;
};

/// Exchange of the two ranks of a line while they connect. The others of the job take no part.
class Pair final : public transport::Rendezvous {
 public:
  Pair(transport::store::Client& store, std::size_t ranks, Rank other, std::uint32_t line)
      : store_(store), ranks_(ranks), other_(other), line_(line) {}

  /// Exchanges with the other rank. For ranks that take no part, `mine` stands in: it has the right
  /// form, and nobody's Plan reaches them.
  std::vector<std::string> all_gather(const std::string& mine) override {
    std::vector<std::string> all(ranks_, mine);
    all[other_.index()] = store_.exchange(other_, line_, mine);
    return all;
  }
  void barrier() override { static_cast<void>(store_.exchange(other_, line_, "")); }

 private:
  transport::store::Client& store_;
  std::size_t ranks_;
  Rank other_;
  std::uint32_t line_;
};

std::string text_of(const Line::Message& message) {
  return fmt::format("{} {}", message.count, to_string(message.type));
}

/// The Plans of a line, one for each size of a piece, from 1 byte on.
StagedPlan plans_of(const topologies::Topology& wiring, const Line::Way& way, Rank self) {
  const algorithms::NamedCollective send({.name = "send"}, wiring, {way.from, way.to});
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kPieceSizes; ++i) {
    plans.push_back(send.plan(self, {.elements = std::size_t{1} << i}));
  }
  return in_stages(std::move(plans));
}

}  // namespace

Line::Line(const topologies::Topology& wiring, const Way& way, const execution::RankEnds& ends,
           transport::store::Client& store)
    : way_(way), buffer_(Dtype::byte, kLargestPiece) {
  const Rank other = ends.self == way.from ? way.to : way.from;
  Pair pair(store, wiring.hosts(), other, way.from.value);
  const execution::RankEnds mine{.self = ends.self,
                                 .ports = ends.ports,
                                 .transport = ends.transport,
                                 .key = ends.key,
                                 .timeout = ends.timeout,
                                 .startup = ends.startup,
                                 .rendezvous = pair,
                                 .cancellation = ends.cancellation,
                                 .clock = ends.clock};
  const StagedPlan staged = plans_of(wiring, way, ends.self);
  const transport::LaneOptions options{.rank = ends.self,
                                       .clock = ends.clock,
                                       .timing = {.stall_timeout = ends.timeout},
                                       .element_bytes = 1};
  executor_ = std::make_unique<transport::Executor>(
      staged, execution::connect(staged.plan, buffer_.elements(), mine), ends.cancellation,
      options);
}

template <class Piece>
void Line::in_pieces(std::size_t bytes, const Piece& piece) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t size = std::min(kLargestPiece, std::bit_floor(bytes - done));
    piece(done, size);
    done += size;
  }
}

void Line::send(const Message& message, std::span<const std::byte> memory) {
  std::byte* const buffer = buffer_.elements().bytes().data();
  const auto send_all = [&](std::span<const std::byte> all) {
    in_pieces(all.size(), [&](std::size_t first, std::size_t size) {
      std::memcpy(buffer, all.data() + first, size);
      executor_->execute(static_cast<std::size_t>(std::bit_width(size)) - 1);
    });
  };
  const Head head{.count = message.count, .type = static_cast<std::uint64_t>(message.type)};
  send_all(std::as_bytes(std::span(&head, 1)));
  send_all(memory);
}

void Line::receive(const Message& message, std::span<std::byte> memory) {
  const std::byte* const buffer = buffer_.elements().bytes().data();
  const auto receive_all = [&](std::span<std::byte> all) {
    in_pieces(all.size(), [&](std::size_t first, std::size_t size) {
      executor_->execute(static_cast<std::size_t>(std::bit_width(size)) - 1);
      std::memcpy(all.data() + first, buffer, size);
    });
  };
  Head head;
  receive_all(std::as_writable_bytes(std::span(&head, 1)));
  const Message sent{.count = head.count, .type = static_cast<Dtype>(head.type)};
  if (sent == message) {
    receive_all(memory);
    return;
  }
  throw FabricError(FabricFailure::refused, {.rank = way_.to, .peer = way_.from},
                    fmt::format("it sends {}, and rank {} receives {}", text_of(sent),
                                way_.to.index(), text_of(message)));
}

}  // namespace gradwire::library
