#include "harness/workers/rank/inbox.h"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::workers {
namespace {

using ::testing::ElementsAre;

// JSON holds no text but UTF-8; what ranks bring may be any bytes, and comes back as it was.
TEST(ControlRendezvous, ContributionsMayBeAnyBytes) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
  const ControlPair pair = make_control_pair();
  std::thread harness([ours = pair.ours.get()] {
    const auto brought = receive_message(ours);
    if (brought) {
      send_message(ours,
                   {Message::gathered, nlohmann::json::array({brought->body, brought->body})});
    }
  });
  transport::Cancellation cancellation;
  Inbox inbox(pair.theirs.get(), cancellation);
  ControlRendezvous rendezvous(pair.theirs.get(), inbox);
  EXPECT_THAT(rendezvous.all_gather(every), ElementsAre(every, every));
  harness.join();
}

}  // namespace
}  // namespace gradwire::workers
