#include "transport/verbs/connection_data.h"

#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <fmt/core.h>

#include "core/error.h"
#include "transport/verbs/gid.h"

namespace gradwire::transport::verbs {
namespace {

constexpr std::string_view kHeading = "verbs-2";
constexpr const char* kMalformed = "connection data was written by a rank of this version";

ibv_gid parse_gid(const std::string& text) {
  ibv_gid gid{};
  ensure(::inet_pton(AF_INET6, text.c_str(), gid.raw) == 1, kMalformed);
  return gid;
}

ibv_mtu parse_mtu(int number) {
  ensure(number >= IBV_MTU_256 && number <= IBV_MTU_4096, kMalformed);
  return static_cast<ibv_mtu>(number);
}

QueuePairAddress parse_pair(std::istringstream& line) {
  QueuePairAddress pair;
  int mtu = 0;
  std::string gid;
  line >> pair.number >> pair.first_packet >> mtu >> gid;
  ensure(static_cast<bool>(line), kMalformed);
  pair.mtu = parse_mtu(mtu);
  pair.gid = parse_gid(gid);
  return pair;
}

std::string text_of(const QueuePairAddress& pair) {
  return fmt::format("{} {} {} {}", pair.number, pair.first_packet, static_cast<int>(pair.mtu),
                     to_string(pair.gid));
}

ChannelOffer parse_channel(std::istringstream& line) {
  ChannelOffer offer;
  Peer& to = offer.to;
  line >> offer.lane >> to.rank.value >> to.via.value >> to.at.value;
  offer.data = parse_pair(line);
  offer.grants = parse_pair(line);
  line >> offer.gradient.address >> offer.gradient.key;
  line >> offer.staging.address >> offer.staging.key >> offer.slot_elements;
  ensure(static_cast<bool>(line), kMalformed);
  return offer;
}

}  // namespace

std::string encode(const RankOffer& offer) {
  std::string text = fmt::format("{} {} {}\n", kHeading, offer.limits.segment, offer.limits.window);
  for (const ChannelOffer& channel : offer.channels) {
    text += fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", channel.lane, channel.to.rank.value,
                        channel.to.via.value, channel.to.at.value, text_of(channel.data),
                        text_of(channel.grants), channel.gradient.address, channel.gradient.key,
                        channel.staging.address, channel.staging.key, channel.slot_elements);
  }
  return text;
}

RankOffer decode_offer(const std::string& text) {
  std::istringstream lines(text);
  std::string heading;
  RankOffer offer;
  lines >> heading >> offer.limits.segment >> offer.limits.window;
  ensure(lines && heading == kHeading, kMalformed);
  std::string line;
  std::getline(lines, line);  // the rest of the first line
  while (std::getline(lines, line)) {
    std::istringstream numbers(line);
    offer.channels.push_back(parse_channel(numbers));
  }
  return offer;
}

}  // namespace gradwire::transport::verbs
