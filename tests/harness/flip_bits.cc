// Preloaded into ranks: flips a bit of four bytes in the middle of the 40th large part of what they
// receive. One of the four has a number's exponent, so that adding does not round it away.
#include <atomic>

#include <dlfcn.h>
#include <sys/socket.h>

extern "C" ssize_t recvmsg(int socket, msghdr* message, int flags) {
  using Receive = ssize_t (*)(int, msghdr*, int);
  static const auto receive = reinterpret_cast<Receive>(::dlsym(RTLD_NEXT, "recvmsg"));
  static std::atomic<int> large = 0;
  const ssize_t got = receive(socket, message, flags);
  constexpr ssize_t kLarge = 20'000;
  constexpr int kNumber = 40;
  if (got >= kLarge && static_cast<ssize_t>(message->msg_iov[0].iov_len) >= kLarge &&
      ++large == kNumber) {
    char* const bytes = static_cast<char*>(message->msg_iov[0].iov_base) + kLarge / 2;
    for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>(bytes[i] ^ 0x40);
  }
  return got;
}
