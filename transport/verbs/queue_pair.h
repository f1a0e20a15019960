#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <infiniband/verbs.h>

#include "core/fields.h"
#include "transport/verbs/completion_queue.h"
#include "transport/verbs/message.h"
#include "transport/verbs/path_options.h"

namespace gradwire {

/// A size of packets as its number.
template <>
struct Travels<ibv_mtu> {
  [[nodiscard]] static std::uint8_t put(ibv_mtu mtu) { return static_cast<std::uint8_t>(mtu); }
  [[nodiscard]] static std::optional<ibv_mtu> take(std::uint8_t number) {
    if (number < IBV_MTU_256 || number > IBV_MTU_4096) return std::nullopt;
    return static_cast<ibv_mtu>(number);
  }
};

/// A GID as its bytes.
template <>
struct Travels<ibv_gid> {
  using Bytes = std::array<std::uint8_t, sizeof(ibv_gid)>;
  [[nodiscard]] static Bytes put(const ibv_gid& gid) { return std::to_array(gid.raw); }
  [[nodiscard]] static std::optional<ibv_gid> take(const Bytes& bytes) {
    ibv_gid gid{};
    std::ranges::copy(bytes, gid.raw);
    return gid;
  }
};

}  // namespace gradwire

namespace gradwire::transport::verbs {

/// Address of a queue pair, which the peer needs to connect to it.
struct QueuePairAddress {
  std::uint32_t number = 0;
  std::uint32_t first_packet = 0;  ///< the sequence number of the first packet it sends, 24 bits
  ibv_mtu mtu = IBV_MTU_1024;      ///< the largest that its port can do
  ibv_gid gid{};

  static constexpr auto kFields =
      row(field("number", &QueuePairAddress::number),
          field("first_packet", &QueuePairAddress::first_packet),
          field("mtu", &QueuePairAddress::mtu), field("gid", &QueuePairAddress::gid));
};

/// Work that was given to a queue pair, as its completion names it.
struct Work {
  enum class Kind : std::uint8_t {
    receive,  ///< a receive of the data queue pair
    receive_grant,
    data,
    grant,
    probe,
    closing,
  } kind = Kind::receive;
  std::uint32_t channel = 0;  ///< 24 bits
  std::uint32_t number = 0;   ///< number among the queue pair's sends

  friend bool operator==(const Work&, const Work&) = default;
};
/// The 64 bits that identify the work, which a device hands back with its completion.
[[nodiscard]] std::uint64_t encode(const Work& work);
/// Decodes the Work of which encode() made these bits.
[[nodiscard]] Work decode_work(std::uint64_t id);

/// Write into the peer's memory.
struct Write {
  std::uint64_t from = 0;  ///< a local address
  std::uint32_t local_key = 0;
  std::uint32_t bytes = 0;
  std::uint64_t to = 0;  ///< an address at the peer
  std::uint32_t remote_key = 0;
  Message message;
};

/// One end of a reliable connection. One thread uses it. Every call that gives it work throws
/// SystemError when the device refuses, and must stay within its room.
///
/// Receives carry no memory: data is written past them, and a message is in the completion. So they
/// are all alike; as many as can ever be needed are posted at the beginning, and each is posted
/// again when it has completed.
class QueuePair {
 public:
  /// Use of a queue pair; a channel has one of each. A device serves its queue pairs in turn, but
  /// the messages of one in order: a grant must not wait for data that goes the other way, because
  /// the peer waits for it.
  enum class Use : std::uint8_t {
    data,  ///< segments, probes and the last message, which follows all data
    grants,
  };

  /// Makes a queue pair for channel number `channel` of its lane, with the flow's window. It is
  /// ready for receiving, but not connected.
  QueuePair(std::shared_ptr<CompletionQueue> completions, Use use, std::size_t channel,
            std::size_t window);

  /// The most outstanding completions of a channel, for the size of the completion queue.
  [[nodiscard]] static std::size_t completions(std::size_t window);

  /// The address that the peer needs to connect to it.
  [[nodiscard]] const QueuePairAddress& address() const { return address_; }
  /// The device that it belongs to.
  [[nodiscard]] Device& device() const { return completions_->device(); }

  /// Connects to the peer's queue pair; the path MTU is the smaller one. May block for a second or
  /// two while the kernel looks up the peer's link address.
  void connect(const QueuePairAddress& peer, const PathOptions& options);

  /// Whether there is room for a write or grant. The last places are kept for probes and the last
  /// message.
  [[nodiscard]] bool has_room() const;
  /// Writes data into the peer's memory. Requires Use::data and has_room().
  void write(const Write& write);
  /// Sends a grant. Requires Use::grants and has_room().
  void send_grant(const Message& message);

  /// Sends an empty write, which completes when the peer has acknowledged it. One at a time.
  void probe();
  /// Sends the last message, which tells that this end is leaving.
  void send_closing();
  /// Takes the completion of a send: it and all sends before it have left.
  void retire(const Work& work);

  /// Posts a completed receive again.
  void post_receive();

 private:
  struct Release {
    void operator()(ibv_qp* pair) const { ::ibv_destroy_qp(pair); }
  };

  void prepare();
  /// Number of sends that were given and may not have left.
  [[nodiscard]] std::size_t under_way() const { return given_ - retired_; }
  void post(ibv_send_wr& request, Work::Kind kind, bool signalled);
  void post_message(const Message& message, Work::Kind kind, bool signalled);

  std::shared_ptr<CompletionQueue> completions_;
  Use use_;
  std::uint32_t channel_;
  std::size_t send_places_;
  std::uint32_t given_ = 0;      ///< number of the next send
  std::uint32_t retired_ = 0;    ///< number of the oldest that may be under way
  std::size_t unsignalled_ = 0;  ///< sends since the last one that completes
  QueuePairAddress address_;
  std::unique_ptr<ibv_qp, Release> pair_;
};

}  // namespace gradwire::transport::verbs
