#include "harness/workers/control.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::workers {
namespace {

std::size_t open_descriptors() {
  const auto all = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// A packet of these sockets has a limit, a message has none; the larger ones overtake no other, and
// leave no descriptor behind.
TEST(Control, CarriesMessagesOfAnySizeInOrder) {
  const ControlPair pair = make_control_pair();
  const std::size_t before = open_descriptors();
  for (const std::size_t size : {1u, 160u * 1024, 160u * 1024 + 1, 20u << 20, 7u}) {
    const std::string sent(size, static_cast<char>('a' + size % 26));
    send_text(pair.ours.get(), sent);
    send_text(pair.ours.get(), "next");
    const auto received = receive_text(pair.theirs.get());
    ASSERT_TRUE(received.has_value());
    EXPECT_TRUE(*received == sent) << size;
    EXPECT_EQ(receive_text(pair.theirs.get()), "next");
  }
  EXPECT_EQ(open_descriptors(), before);
}

// What a trace with many tensors becomes.
TEST(Control, CarriesALargeDocument) {
  const ControlPair pair = make_control_pair();
  const ControlMessage sent{Message::job, std::vector<std::size_t>(100'000, 1'000'000)};
  send_message(pair.ours.get(), sent);
  EXPECT_TRUE(receive_message(pair.theirs.get()) == sent);
}

// What somebody said before it ended is heard, then its end.
TEST(Control, HasAnEnd) {
  ControlPair pair = make_control_pair();
  send_text(pair.ours.get(), std::string(1 << 20, 'x'));
  pair.ours = FileDescriptor();
  EXPECT_EQ(receive_text(pair.theirs.get())->size(), std::size_t{1} << 20);
  EXPECT_EQ(receive_text(pair.theirs.get()), std::nullopt);
  EXPECT_THROW(send_text(pair.theirs.get(), "x"), SystemError);
  EXPECT_THROW(send_text(pair.theirs.get(), std::string(1 << 20, 'x')), SystemError);
}

// Also when it has not read all that it was sent, which the kernel tells as a reset, and first.
TEST(Control, HearsTheLastWordsOfAPeerThatHasNotReadEverything) {
  ControlPair pair = make_control_pair();
  send_text(pair.theirs.get(), "never read");
  send_text(pair.ours.get(), "last words");
  pair.ours = FileDescriptor();
  EXPECT_EQ(receive_text(pair.theirs.get()), "last words");
  EXPECT_EQ(receive_text(pair.theirs.get()), std::nullopt);
}

TEST(Control, RefusesWhatIsNoMessage) {
  for (const char* text :
       {"{", "1", "{}", R"({"unknown": 1})", R"({"finish": 1, "count": []})", R"(["finish", 1])"}) {
    EXPECT_THROW(static_cast<void>(parse_message(text)), InternalError) << text;
  }
}

TEST(Control, EveryKindOfMessageHasAName) {
  for (std::size_t kind = 0; kind < kMessages.size(); ++kind) {
    const ControlMessage message{static_cast<Message>(kind), kind};
    EXPECT_EQ(parse_message(to_text(message)), message);
  }
  EXPECT_EQ(to_text({Message::finish, 3}), R"({"finish":3})");
}

}  // namespace
}  // namespace gradwire::workers
