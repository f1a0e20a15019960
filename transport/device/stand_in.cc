#include "transport/device/stand_in.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/file_descriptor.h"
#include "core/with_type.h"
#include "transport/add.h"

namespace gradwire::transport::device {
namespace {

/// Allocation that is mapped twice: once where streams reach it, and once guarded from everybody
/// else.
class Region {
 public:
  Region(std::size_t bytes, Reach reach) : bytes_(std::max<std::size_t>(bytes, 1)) {
    const FileDescriptor file(
        checked(::memfd_create("stand-in device", MFD_CLOEXEC), "memfd_create"));
    checked(::ftruncate(file.get(), static_cast<off_t>(bytes_)),
            fmt::format("ftruncate to {} bytes", bytes_));
    address_ = map(file.get(), reach == Reach::host ? PROT_READ | PROT_WRITE : PROT_NONE);
    reached_ = map(file.get(), PROT_READ | PROT_WRITE);
  }
  ~Region() {
    ::munmap(address_, bytes_);
    ::munmap(reached_, bytes_);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

  [[nodiscard]] std::byte* address() const { return address_; }
  [[nodiscard]] std::byte* reached() const { return reached_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  [[nodiscard]] std::byte* map(int file, int protection) const {
    void* const memory = ::mmap(nullptr, bytes_, protection, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) throw SystemError(fmt::format("mmap {} bytes", bytes_), errno);
    return static_cast<std::byte*>(memory);
  }

  std::size_t bytes_;
  std::byte* address_ = nullptr;
  std::byte* reached_ = nullptr;
};

/// Calls use(element, number) for each element, as elements of T, with the run's number for it.
template <class Use>
void for_each_number(Elements elements, const PatternRun& run, Use use) {
  with_type(elements.type(), [&](auto type) {
    using T = decltype(type);
    const std::span<T> all = elements.as<T>();
    std::visit(
        [&](auto number) {
          for (std::size_t i = 0; i < all.size(); ++i) {
            use(all[i], number_as<T>(number(run.begin + i)), run.begin + i);
          }
        },
        run.number);
  });
}

}  // namespace

/// Allocations by address. They outlive the device where memory does.
class StandInDevice::Regions {
 public:
  explicit Regions(Reach reach) : reach_(reach) {}

  std::byte* add(std::size_t bytes) {
    auto region = std::make_unique<Region>(bytes, reach_);
    std::byte* const address = region->address();
    const std::scoped_lock lock(mutex_);
    regions_.emplace(address, std::move(region));
    return address;
  }
  void remove(std::byte* address) {
    const std::scoped_lock lock(mutex_);
    regions_.erase(address);
  }
  [[nodiscard]] Elements reach(const DeviceElements& elements) const {
    const std::scoped_lock lock(mutex_);
    const auto after = regions_.upper_bound(elements.address());
    if (after != regions_.begin()) {
      const Region& region = *std::prev(after)->second;
      const auto offset = static_cast<std::size_t>(elements.address() - region.address());
      if (offset + elements.bytes() <= region.bytes()) {
        return {{region.reached() + offset, elements.bytes()}, elements.type()};
      }
    }
    throw DeviceError("stand-in: these addresses are none of the device's memory");
  }

 private:
  Reach reach_;
  mutable std::mutex mutex_;
  std::map<std::byte*, std::unique_ptr<Region>, std::less<>> regions_;
};

namespace {

/// Stream that does its work in order, on a thread of its own or when asked.
class StandInStream final : public Stream {
 public:
  StandInStream(const StandInDevice& device, Pace pace, std::size_t events)
      : device_(device), marked_(events), reached_(events) {
    if (pace == Pace::beside) thread_ = std::thread(&StandInStream::serve, this);
  }
  ~StandInStream() override {
    synchronize();
    {
      const std::scoped_lock lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void copy_out(Elements to, DeviceElements from) override {
    require_alike(to.type(), from.type(), to.size(), from.size());
    give([to, from = device_.reach(from)] { std::ranges::copy(from.bytes(), to.bytes().data()); });
  }
  void copy_in(DeviceElements to, Elements from) override {
    require_alike(to.type(), from.type(), to.size(), from.size());
    give([to = device_.reach(to), from] { std::ranges::copy(from.bytes(), to.bytes().data()); });
  }
  void copy_within(DeviceElements to, DeviceElements from) override {
    require_alike(to.type(), from.type(), to.size(), from.size());
    give([to = device_.reach(to), from = device_.reach(from)] {
      std::ranges::copy(from.bytes(), to.bytes().data());
    });
  }
  void clear(DeviceElements elements) override {
    give([all = device_.reach(elements)] { std::ranges::fill(all.bytes(), std::byte{0}); });
  }
  void add(DeviceElements sums, DeviceElements terms) override {
    require_alike(sums.type(), terms.type(), sums.size(), terms.size());
    ensure(sums.type() != Dtype::byte, "bytes move, and are never added");
    give([sums = device_.reach(sums), terms = device_.reach(terms)] {
      transport::add(sums.type(), sums.bytes(), terms.bytes());
    });
  }
  void fill(DeviceElements elements, const PatternRun& run) override {
    require_alike(elements.type(), elements.type(), elements.size(), run.end - run.begin);
    give([all = device_.reach(elements), run] {
      for_each_number(all, run, [](auto& element, auto number, std::size_t) { element = number; });
    });
  }
  [[nodiscard]] Unlike compare(DeviceElements elements, const PatternRun& run) override {
    require_alike(elements.type(), elements.type(), elements.size(), run.end - run.begin);
    synchronize();
    Unlike unlike;
    const auto compare_one = [&](const auto& element, auto number, std::size_t place) {
      if (element == number) return;
      ++unlike.count;
      if (!unlike.first) unlike.first = place;
    };
    for_each_number(device_.reach(elements), run, compare_one);
    return unlike;
  }

  void mark(std::size_t event) override {
    const std::uint64_t number = ++marked_.at(event);
    give([this, event, number] { reached_[event] = number; });
  }
  [[nodiscard]] bool is_done(std::size_t event) override {
    ensure(marked_.at(event) > 0, "a mark is asked for that was made");
    if (!thread_.joinable() && !work_.empty()) do_one();
    return reached_[event] == marked_[event];
  }
  void synchronize() override {
    if (!thread_.joinable()) {
      while (!work_.empty()) do_one();
      return;
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return work_.empty() && !working_; });
  }

 private:
  void give(std::function<void()> work) {
    {
      const std::scoped_lock lock(mutex_);
      work_.push_back(std::move(work));
    }
    changed_.notify_all();
  }
  void do_one() {
    work_.front()();
    work_.pop_front();
  }
  /// Body of the thread: does work until the stream ends.
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ending_ || !work_.empty(); });
      if (work_.empty()) return;
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      working_ = true;
      lock.unlock();
      work();
      lock.lock();
      working_ = false;
      changed_.notify_all();
    }
  }

  const StandInDevice& device_;
  std::vector<std::uint64_t> marked_;                ///< by event: number of marks
  std::vector<std::atomic<std::uint64_t>> reached_;  ///< by event: the last mark that was reached
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool working_ = false;
  bool ending_ = false;
  std::thread thread_;  ///< none where work is done when asked
};

}  // namespace

StandInDevice::StandInDevice(Pace pace, Reach reach)
    : pace_(pace), reach_(reach), regions_(std::make_shared<Regions>(reach)) {}

StandInDevice::~StandInDevice() = default;

std::string StandInDevice::name() const {
  return "stand-in without hardware";
}

DeviceMemory StandInDevice::allocate(Dtype type, std::size_t count) {
  std::byte* const address = regions_->add(count * size_of(type));
  std::shared_ptr<void> owner(address, [regions = regions_](void* memory) {
    regions->remove(static_cast<std::byte*>(memory));
  });
  return {.owner = std::move(owner), .elements = {address, count, type}};
}

PinnedMemory StandInDevice::allocate_pinned(Dtype type, std::size_t count) {
  auto buffer = std::make_shared<ElementBuffer>(type, count);
  const Elements elements = buffer->elements();
  return {.owner = std::move(buffer), .elements = elements};
}

std::unique_ptr<Stream> StandInDevice::make_stream(std::size_t events) {
  return std::make_unique<StandInStream>(*this, pace_, events);
}

Elements StandInDevice::reach(const DeviceElements& elements) const {
  return regions_->reach(elements);
}

}  // namespace gradwire::transport::device
