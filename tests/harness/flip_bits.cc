// Preloaded into ranks: flips a bit of four bytes in the middle of the 40th large part of what they
// receive, and with FLIP_BITS_AGAIN in the environment of every 40th. One of the four has a number's exponent, so that adding does not round it away.
#include <atomic>
#include <cstdlib>

#include <dlfcn.h>
#include <sys/socket.h>

extern "C" ssize_t recvmsg(int socket, msghdr* message, int flags) {
  using Receive = ssize_t (*)(int, msghdr*, int);
  static const auto receive = reinterpret_cast<Receive>(::dlsym(RTLD_NEXT, "recvmsg"));
  static std::atomic<int> large = 0;
  static const bool again = std::getenv("FLIP_BITS_AGAIN") != nullptr;
  const ssize_t got = receive(socket, message, flags);
  constexpr ssize_t kLarge = 20'000;
  constexpr int kNumber = 40;
  if (got >= kLarge && static_cast<ssize_t>(message->msg_iov[0].iov_len) >= kLarge &&
      (++large == kNumber || (again && large % kNumber == 0))) {
    char* const bytes = static_cast<char*>(message->msg_iov[0].iov_base) + kLarge / 2;
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(bytes[i] ^ 0x40);
  }
  return got;
}
