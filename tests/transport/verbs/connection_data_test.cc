#include "transport/verbs/connection_data.h"

#include <cstring>

#include <gtest/gtest.h>

#include "core/binary.h"
#include "transport/verbs/gid.h"
#include "transport/verbs/message.h"

namespace gradwire::transport::verbs {
namespace {

TEST(ConnectionData, ComesBackAsItWas) {
  RankOffer offer{.limits = {.segment = 65'536, .window = 8}};
  offer.channels.push_back({.lane = 2,
                            .to = {.rank = Rank(7), .via = Port(1), .at = Port(3)},
                            .data = {.number = 0xabcdef,
                                     .first_packet = 0xfffffe,
                                     .mtu = IBV_MTU_4096,
                                     .gid = mapped_gid("10.0.0.1")},
                            .grants = {.number = 17,
                                       .first_packet = 5,
                                       .mtu = IBV_MTU_1024,
                                       .gid = mapped_gid("10.0.0.2")},
                            .gradient = {.address = 0xffff'ffff'0000'1234, .key = 0xffff'fffe},
                            .staging = {.address = 0x7f00'0000'0000, .key = 3},
                            .slot_elements = 12'345});
  offer.channels.push_back({.lane = 3});
  const auto read = from_bytes<RankOffer>(to_bytes(offer));
  ASSERT_TRUE(read);
  const RankOffer& back = *read;
  EXPECT_EQ(back.limits, offer.limits);
  ASSERT_EQ(back.channels.size(), 2u);
  const ChannelOffer& channel = back.channels[0];
  EXPECT_EQ(channel.lane, 2u);
  EXPECT_EQ(channel.to, offer.channels[0].to);
  EXPECT_EQ(channel.data.number, 0xabcdefu);
  EXPECT_EQ(channel.data.first_packet, 0xfffffeu);
  EXPECT_EQ(channel.data.mtu, IBV_MTU_4096);
  EXPECT_EQ(to_string(channel.data.gid), "::ffff:10.0.0.1");
  EXPECT_EQ(channel.grants.number, 17u);
  EXPECT_EQ(channel.grants.first_packet, 5u);
  EXPECT_EQ(channel.grants.mtu, IBV_MTU_1024);
  EXPECT_EQ(to_string(channel.grants.gid), "::ffff:10.0.0.2");
  EXPECT_EQ(channel.gradient.address, 0xffff'ffff'0000'1234u);
  EXPECT_EQ(channel.gradient.key, 0xffff'fffeu);
  EXPECT_EQ(channel.staging.address, 0x7f00'0000'0000u);
  EXPECT_EQ(channel.staging.key, 3u);
  EXPECT_EQ(channel.slot_elements, 12'345u);
  EXPECT_EQ(back.channels[1].lane, 3u);
}

TEST(ConnectionData, PacketsOfASizeThatThereIsNotAreRefused) {
  QueuePairAddress address{.mtu = static_cast<ibv_mtu>(IBV_MTU_4096 + 1)};
  EXPECT_FALSE(from_bytes<QueuePairAddress>(to_bytes(address)));
  address.mtu = IBV_MTU_4096;
  EXPECT_TRUE(from_bytes<QueuePairAddress>(to_bytes(address)));
}

TEST(Message, ComesBackAsItWas) {
  for (const auto kind : {Message::Kind::data, Message::Kind::grant_replace,
                          Message::Kind::grant_add, Message::Kind::closing}) {
    for (const std::uint32_t number : {0u, 1u, (1u << kNumberBits) - 1}) {
      const Message message{.kind = kind, .number = number};
      EXPECT_EQ(decode(encode(message)), message);
    }
  }
  EXPECT_FALSE(decode(0xffff'ffff));
}

TEST(Work, ComesBackAsItWas) {
  const Work work{.kind = Work::Kind::closing, .channel = 0xffffff, .number = 0xffff'ffff};
  EXPECT_EQ(decode_work(encode(work)), work);
}

}  // namespace
}  // namespace gradwire::transport::verbs
