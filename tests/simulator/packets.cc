#include "tests/simulator/packets.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>

#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>
#include <ns3/traffic-control-module.h>

#include "tests/simulator/in_child.h"

namespace gradwire::simulator::testing {
namespace {

constexpr std::uint16_t kPort = 5000;
/// When the transfers begin, in seconds: by then all connections stand.
constexpr double kBegin = 10;
constexpr double kDeadline = kBegin + 1000;
/// A host's connections take turns at its port, as with Linux's fq: acknowledgements do not wait
/// behind megabytes. What waits is in no device's queue and is never dropped.
constexpr std::size_t kDevicePackets = 4;
constexpr const char* kEndless = "100000000p";
constexpr const char* kNever = "1000s";
constexpr std::size_t kSmallestBuffer = 4'194'304;
constexpr std::uint32_t kFirstConnection = 0x0a000000;  // 10.0.0.0
constexpr std::uint32_t kFirstCableEnd = 0xac000000;    // 172.0.0.0
constexpr std::uint32_t kSubnet = 0xfffffffc;           // of four addresses

void set_defaults(const PacketNetwork& network, std::size_t most_bytes) {
  const auto buffer = static_cast<std::uint32_t>(std::max(most_bytes, kSmallestBuffer));
  using ns3::Config::SetDefault;
  SetDefault("ns3::TcpL4Protocol::SocketType", ns3::TypeIdValue(ns3::TcpCubic::GetTypeId()));
  SetDefault("ns3::TcpSocket::SegmentSize", ns3::UintegerValue(kSegmentBytes));
  SetDefault("ns3::TcpSocket::InitialCwnd", ns3::UintegerValue(kInitialWindow));
  SetDefault("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(buffer));
  SetDefault("ns3::TcpSocket::RcvBufSize", ns3::UintegerValue(buffer));
  SetDefault("ns3::TcpSocketBase::MinRto", ns3::TimeValue(ns3::Seconds(network.shortest_timeout)));
}

/// One end of a cable in ns-3.
struct End {
  ns3::Ptr<ns3::Ipv4> node;
  std::uint32_t interface = 0;
};

/// Where a hop leaves a node, and where it arrives at the next.
struct Ends {
  End out;
  End in;
};

/// A connection's own addresses, so that it has a route of its own.
struct Addresses {
  explicit Addresses(std::size_t transfer)
      : from(kFirstConnection + static_cast<std::uint32_t>(4 * transfer) + 1), to(from.Get() + 1) {}
  ns3::Ipv4Address from;
  ns3::Ipv4Address to;
};

/// The nodes and cables in ns-3.
class Fabric {
 public:
  explicit Fabric(const PacketNetwork& network) : network_(network) {
    nodes_.Create(static_cast<std::uint32_t>(network.nodes));
    ns3::InternetStackHelper internet;
    internet.SetRoutingHelper(ns3::Ipv4StaticRoutingHelper());
    internet.Install(nodes_);
    for (const PacketCable& cable : network.cables) add(cable);
  }

  /// Tells every node on the way of a transfer where its packets and their acknowledgements go.
  void lay(const Transfer& transfer, const Addresses& addresses) const {
    for (const PacketHop& hop : transfer.way) {
      const Ends ends = ends_of(hop);
      route(ends.out, addresses.to);
      route(ends.in, addresses.from);
    }
    own(ends_of(transfer.way.front()).out, addresses.from);
    own(ends_of(transfer.way.back()).in, addresses.to);
  }

  [[nodiscard]] ns3::Ptr<ns3::Socket> first_socket(const Transfer& transfer) const {
    return socket(ends_of(transfer.way.front()).out);
  }
  [[nodiscard]] ns3::Ptr<ns3::Socket> last_socket(const Transfer& transfer) const {
    return socket(ends_of(transfer.way.back()).in);
  }

  [[nodiscard]] std::size_t dropped() const {
    std::size_t sum = 0;
    for (const auto& queue : queues_) sum += queue->GetTotalDroppedPackets();
    return sum;
  }

 private:
  using Device = ns3::Ptr<ns3::PointToPointNetDevice>;

  [[nodiscard]] Ends ends_of(const PacketHop& hop) const {
    const End& a = ends_.at(2 * hop.cable);
    const End& b = ends_.at(2 * hop.cable + 1);
    return hop.from_a ? Ends{a, b} : Ends{b, a};
  }
  [[nodiscard]] static ns3::Ptr<ns3::Socket> socket(const End& end) {
    return ns3::Socket::CreateSocket(end.node->GetObject<ns3::Node>(),
                                     ns3::TcpSocketFactory::GetTypeId());
  }

  void add(const PacketCable& cable) {
    const auto channel = ns3::CreateObject<ns3::PointToPointChannel>();
    channel->SetAttribute("Delay", ns3::TimeValue(ns3::Seconds(network_.delay)));
    for (const std::size_t at : {cable.a, cable.b}) {
      const Device device = ns3::CreateObject<ns3::PointToPointNetDevice>();
      device->SetAddress(ns3::Mac48Address::Allocate());
      device->SetDataRate(ns3::DataRate(static_cast<std::uint64_t>(cable.rate)));
      const auto node = nodes_.Get(static_cast<std::uint32_t>(at));
      node->AddDevice(device);
      device->Attach(channel);
      add_queue(device, at < network_.hosts);
      add_end(node->GetObject<ns3::Ipv4>(), device);
    }
  }

  void add_queue(const Device& device, bool is_host) {
    const auto queue = ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>();
    const std::size_t packets = is_host ? kDevicePackets : network_.queue;
    queue->SetMaxSize(
        ns3::QueueSize(ns3::QueueSizeUnit::PACKETS, static_cast<std::uint32_t>(packets)));
    device->SetQueue(queue);
    queues_.push_back(queue);
    if (!is_host) return;
    const auto interface = ns3::CreateObject<ns3::NetDeviceQueueInterface>();
    interface->GetTxQueue(0)->ConnectQueueTraces(queue);
    device->AggregateObject(interface);
    ns3::TrafficControlHelper fair;
    fair.SetRootQueueDisc("ns3::FqCoDelQueueDisc", "MaxSize", ns3::StringValue(kEndless), "Target",
                          ns3::StringValue(kNever), "Interval", ns3::StringValue(kNever));
    fair.Install(device);
  }

  void add_end(const ns3::Ptr<ns3::Ipv4>& node, const Device& device) {
    const End end{node, node->AddInterface(device)};
    // ns-3 asks a forwarding interface for an address of its own.
    own(end, ns3::Ipv4Address(kFirstCableEnd + static_cast<std::uint32_t>(4 * ends_.size()) + 1));
    node->SetUp(end.interface);
    ends_.push_back(end);
  }

  static void route(const End& end, ns3::Ipv4Address to) {
    ns3::Ipv4StaticRoutingHelper().GetStaticRouting(end.node)->AddHostRouteTo(to, end.interface);
  }
  static void own(const End& end, ns3::Ipv4Address address) {
    end.node->AddAddress(end.interface, {address, ns3::Ipv4Mask(kSubnet)});
  }

  const PacketNetwork& network_;
  ns3::NodeContainer nodes_;
  std::vector<End> ends_;  ///< of cable c: 2c, 2c + 1
  std::vector<ns3::Ptr<ns3::Queue<ns3::Packet>>> queues_;
};

/// A transfer over a connection that stands before the transfers begin.
class Connection {
 public:
  Connection(const Fabric& fabric, const Transfer& transfer, const Addresses& addresses)
      : bytes_(transfer.bytes),
        listening_(fabric.last_socket(transfer)),
        sending_(fabric.first_socket(transfer)) {
    listening_->Bind(ns3::InetSocketAddress(addresses.to, kPort));
    listening_->Listen();
    listening_->SetAcceptCallback(ns3::MakeNullCallback<bool, Socket, Peer>(),
                                  ns3::MakeCallback(&Connection::accept, this));
    sending_->Bind(ns3::InetSocketAddress(addresses.from, 0));
    ns3::Simulator::Schedule(ns3::Seconds(0), &Connection::connect, this, addresses.to);
    ns3::Simulator::Schedule(ns3::Seconds(kBegin), &Connection::begin, this);
  }

  /// Seconds since the transfers began; negative while bytes are missing.
  [[nodiscard]] double time() const { return time_; }

 private:
  using Socket = ns3::Ptr<ns3::Socket>;
  using Peer = const ns3::Address&;

  void accept(Socket socket, Peer /*peer*/) {
    socket->SetRecvCallback(ns3::MakeCallback(&Connection::receive, this));
  }
  void connect(ns3::Ipv4Address to) { sending_->Connect(ns3::InetSocketAddress(to, kPort)); }
  void begin() { sending_->Send(ns3::Create<ns3::Packet>(static_cast<std::uint32_t>(bytes_))); }
  void receive(Socket socket) {
    while (const auto packet = socket->Recv()) arrived_ += packet->GetSize();
    if (arrived_ == bytes_) time_ = ns3::Simulator::Now().GetSeconds() - kBegin;
  }

  std::size_t bytes_;
  std::size_t arrived_ = 0;
  double time_ = -1;
  Socket listening_;
  Socket sending_;
};

/// Times by transfer, then how many packets were dropped.
std::vector<double> run(const PacketNetwork& network, const std::vector<Transfer>& transfers) {
  std::size_t most_bytes = 0;
  for (const Transfer& transfer : transfers) most_bytes = std::max(most_bytes, transfer.bytes);
  set_defaults(network, most_bytes);
  const Fabric fabric(network);
  std::vector<std::unique_ptr<Connection>> connections;
  for (const Transfer& transfer : transfers) {
    const Addresses addresses(connections.size());
    fabric.lay(transfer, addresses);
    connections.push_back(std::make_unique<Connection>(fabric, transfer, addresses));
  }
  ns3::Simulator::Stop(ns3::Seconds(kDeadline));
  ns3::Simulator::Run();
  std::vector<double> values;
  for (const auto& connection : connections) {
    if (connection->time() < 0) throw std::runtime_error("a transfer is not done in time");
    values.push_back(connection->time());
  }
  values.push_back(static_cast<double>(fabric.dropped()));
  return values;
}

}  // namespace

PacketRun packet_run(const PacketNetwork& network, const std::vector<Transfer>& transfers) {
  std::vector<double> values = in_child([&] { return run(network, transfers); });
  PacketRun result;
  result.dropped = static_cast<std::size_t>(values.back());
  values.pop_back();
  result.times = std::move(values);
  return result;
}

}  // namespace gradwire::simulator::testing
