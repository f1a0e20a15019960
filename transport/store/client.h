#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/id.h"
#include "core/units.h"
#include "transport/cancellation.h"
#include "transport/handshake.h"
#include "transport/rendezvous.h"
#include "transport/store/message.h"
#include "transport/tcp/socket.h"

namespace gradwire::transport::store {

/// A member of a job that meets the others at a store (transport/store/server.h). A thread listens to
/// the store: when somebody is gone or has failed, it cancels whatever this rank waits for.
class Client final : public Rendezvous {
 public:
  struct Options {
    tcp::Listening store;  ///< IPv4
    Rank self;
    std::size_t ranks = 0;  ///< ranks of the job
    RunKey key{};           ///< made of the job's secret
    Nanoseconds timeout{};  ///< time to come in, and for each gathering
  };

  /// Calls the store until it is there, and proves the secret. Blocks until this rank is in; throws
  /// FabricError(refused) when the store does not let it in, or is not there within the timeout, and
  /// SystemError. The cancellation and the clock must outlive it.
  Client(const Options& options, Cancellation& cancellation, const Clock& clock);
  /// Closes the connection: unless it left, the others are told that it is gone.
  ~Client() override;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Throws FabricError that names who is gone, has failed, or has not come within the timeout.
  [[nodiscard]] std::vector<std::string> all_gather(const std::string& mine) override;
  using Rendezvous::all_gather;
  void barrier() override;

  /// Tells one other member something about a line, and returns what that tells this one. Blocks until
  /// it does. Several threads may, each about another line or with another member. Throws as
  /// all_gather().
  [[nodiscard]] std::string exchange(Rank other, std::uint32_t line, const std::string& mine);

  /// The key of the job, for its data connections: whoever has the secret and hears what was said
  /// here can make it.
  [[nodiscard]] const RunKey& job_key() const { return job_key_; }
  /// This rank's end of its way to the store.
  [[nodiscard]] std::string own_address() const;

  /// The first failure of the job that the store has told of.
  [[nodiscard]] std::optional<Failure> failure() const;
  /// Tells the store that this rank has failed, and for whose fault as it sees it. Returns what the
  /// store, which hears all ranks, says; nothing when it says nothing for a second.
  [[nodiscard]] std::optional<Failure> report(const Failure& mine);
  /// Leaves the job: nobody takes the end of the connection for a failure.
  void leave();

 private:
  /// A store that answered the call. Throws as the constructor; `deadline` is for all calls.
  void connect(const Deadline& deadline);
  /// Proves the secret to the store, which does the same. False when the store hung up: strangers may
  /// crowd it. Throws as the constructor.
  [[nodiscard]] bool introduce(const Deadline& deadline);
  /// The next bytes that the store says; fewer when it hung up.
  [[nodiscard]] std::string await_bytes(std::size_t count, const Deadline& deadline);
  void listen();
  /// Sends a beat when it is time, unless another thread sends.
  void beat();
  /// Whether the store has sent nothing for so long that its process must stand still.
  [[nodiscard]] bool is_store_silent();
  /// Takes what the store has sent; false when nothing more will come.
  [[nodiscard]] bool take(const Message& message);
  void send(const Message& message);
  void send_bytes(const std::string& message);
  void note(Failure failure);
  /// Waits for what `find` returns once it is there. Throws as all_gather(); `awaited` is whom it waits
  /// for, if that is one.
  template <class Find>
  [[nodiscard]] auto await_news(std::optional<Rank> awaited, const Find& find);
  [[nodiscard]] FabricError refused(const std::string& why) const;

  Options options_;
  Cancellation& cancellation_;
  const Clock& clock_;
  FileDescriptor socket_;
  MessageReader reader_;
  RunKey job_key_{};
  std::mutex sending_;   ///< one message at a time
  std::string unsent_;   ///< rest of a beat that was sent in part; guarded by sending_
  TimePoint next_beat_;  ///< time of the next beat; the listener's own, as those below
  TimePoint heard_;      ///< when the store sent something last
  TimePoint turned_;     ///< when it last looked for news
  mutable std::mutex mutex_;
  std::condition_variable news_;
  std::optional<std::vector<std::string>> gathered_;  ///< guarded, as those below
  std::vector<Letter> letters_;                       ///< letters that came and were not read
  std::optional<Failure> failure_;
  bool leaving_ = false;
  std::thread listener_;
};

}  // namespace gradwire::transport::store
