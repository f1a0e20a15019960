#include "transport/store/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::transport::store {
namespace {

using ::testing::Optional;

TEST(StoreMessages, ComeOutAsTheyWentInWhateverPiecesTheyArriveIn) {
  const Message one{.kind = Kind::contribution, .body = "first"};
  const Message two{.kind = Kind::leave, .body = ""};
  const std::string bytes = encode(one) + encode(two);
  MessageReader reader(5);
  std::vector<Message> all;
  for (const char byte : bytes) {
    ASSERT_TRUE(reader.take({&byte, 1}));
    while (auto message = reader.next()) all.push_back(std::move(*message));
  }
  EXPECT_EQ(all, (std::vector<Message>{one, two}));
}

TEST(StoreMessages, OneThatIsTooLongOrOfNoKindEndsTheReading) {
  const std::string good = encode(Message{.kind = Kind::leave});
  for (const std::string& bad : {encode(Message{.kind = Kind::contribution, .body = "123456"}),
                                 std::string("\0\0\0\0Z", 5)}) {
    MessageReader reader(5);
    ASSERT_TRUE(reader.take(good + bad + good));
    EXPECT_THAT(reader.next(), Optional(Message{.kind = Kind::leave}));
    EXPECT_EQ(reader.next(), std::nullopt);
    EXPECT_TRUE(reader.is_broken());
    EXPECT_FALSE(reader.take(good));
  }
}

TEST(StoreMessages, AreReadAsWhatTheyAreAlone) {
  const Gathered gathered{.texts = {"a", "", std::string("b\0c", 3)}};
  const Letter letter{.other = Rank(70'000), .line = 300, .text = "127.0.0.1 5"};
  const Failure failure{.culprit = Rank(2), .text = "why"};
  EXPECT_THAT(body_of<Gathered>(message_of(gathered)), Optional(gathered));
  EXPECT_THAT(body_of<Letter>(message_of(letter)), Optional(letter));
  EXPECT_THAT(body_of<Failure>(message_of(failure)), Optional(failure));
  EXPECT_THAT(body_of<Failure>(message_of(Failure{})), Optional(Failure{}));
  EXPECT_EQ(body_of<Failure>(message_of(letter)), std::nullopt);
  EXPECT_EQ(body_of<Letter>({.kind = Kind::letter, .body = "12345678901"}), std::nullopt);
  Message cut = message_of(gathered);
  cut.body.pop_back();
  EXPECT_EQ(body_of<Gathered>(cut), std::nullopt);
}

// What members may send passes the store's readers, and what it makes of that those of members.
TEST(StoreMessages, TheLargestFit) {
  const std::string largest(kMostContribution, 'x');
  const Message letter = message_of(Letter{.text = largest});
  EXPECT_LE(letter.body.size(), kMostContribution + kEnvelope);
  EXPECT_LE(letter.body.size(), most_gathered(2));
  EXPECT_LE(message_of(Gathered{.texts = {largest, largest}}).body.size(), most_gathered(2));
  const Failure failure{.culprit = Rank(1), .text = std::string(kMostText, 'x')};
  EXPECT_LE(message_of(failure).body.size(), most_gathered(0));
}

}  // namespace
}  // namespace gradwire::transport::store
