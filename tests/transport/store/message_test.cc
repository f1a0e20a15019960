#include "transport/store/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::transport::store {
namespace {

using ::testing::Optional;

constexpr RunKey kKey{7};
const Meeting kMeeting{.greeting = {.nonce = {1, 2}},
                       .hello = {.rank = Rank(3), .ranks = 5, .nonce = {8, 9}}};

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

TEST(StoreMessages, AHelloIsProvenUnderItsKeyAndGreetingAlone) {
  const Message message = encode(kMeeting, kKey);
  const auto said = decode_hello(message, kMeeting.greeting, kKey);
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->is_proven);
  EXPECT_EQ(said->hello.rank, Rank(3));
  EXPECT_EQ(said->hello.ranks, 5U);
  EXPECT_FALSE(decode_hello(message, kMeeting.greeting, RunKey{8})->is_proven);
  EXPECT_FALSE(decode_hello(message, {.nonce = {1, 3}}, kKey)->is_proven);
  Message changed = message;
  changed.body[0] ^= 1;  // the rank
  EXPECT_FALSE(decode_hello(changed, kMeeting.greeting, kKey)->is_proven);
}

TEST(StoreMessages, AVerdictIsProvenForItsHelloAlone) {
  const Verdict verdict{.judgement = Judgement::taken, .ranks = 5, .job = {4}};
  const Message message = encode(verdict, kMeeting, kKey);
  const auto said = decode_verdict(message, kMeeting, kKey);
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->is_proven);
  EXPECT_EQ(said->verdict.judgement, Judgement::taken);
  EXPECT_EQ(said->verdict.job, verdict.job);
  Meeting other = kMeeting;
  other.hello.rank = Rank(2);
  EXPECT_FALSE(decode_verdict(message, other, kKey)->is_proven);
  EXPECT_FALSE(decode_verdict(message, kMeeting, RunKey{8})->is_proven);
}

TEST(StoreMessages, AMembersProofIsNotTheStores) {
  const Message member = encode(kMeeting, kKey);
  const Message store = encode(Verdict{}, kMeeting, kKey);
  EXPECT_NE(member.body.substr(member.body.size() - sizeof(Mac)),
            store.body.substr(store.body.size() - sizeof(Mac)));
}

TEST(StoreMessages, WhatWasGatheredHasAsManyTextsAsRanks) {
  const std::vector<std::string> all{"a", "", std::string("b\0c", 3)};
  EXPECT_THAT(decode_gathered(encode(all), 3), Optional(all));
  EXPECT_EQ(decode_gathered(encode(all), 2), std::nullopt);
  EXPECT_EQ(decode_gathered(encode(all), 4), std::nullopt);
  Message cut = encode(all);
  cut.body.pop_back();
  EXPECT_EQ(decode_gathered(cut, 3), std::nullopt);
}

TEST(StoreMessages, ALetterKeepsWhoseItIsAndItsLine) {
  const Letter letter{.other = Rank(70'000), .line = 300, .text = "127.0.0.1 5"};
  EXPECT_THAT(decode_letter(encode(letter)), Optional(letter));
  EXPECT_EQ(decode_letter({.kind = Kind::letter, .body = "1234567"}), std::nullopt);
  EXPECT_EQ(decode_letter({.kind = Kind::failure, .body = "12345678"}), std::nullopt);
}

TEST(StoreMessages, AFailureKeepsItsTextUpToItsLimit) {
  const Failure known{.culprit = Rank(2), .text = "why"};
  EXPECT_THAT(decode_failure(encode(known)), Optional(known));
  const Failure unknown{.text = std::string(kMostText + 1, 'x')};
  const auto read = decode_failure(encode(unknown));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->culprit, std::nullopt);
  EXPECT_EQ(read->text.size(), kMostText);
}

}  // namespace
}  // namespace gradwire::transport::store
