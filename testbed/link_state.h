#pragma once

#include <string>

#include "core/file_descriptor.h"

/// Whether interfaces can carry anything, as the kernel says.
namespace gradwire::testbed {

/// Whether an interface of the calling thread's network namespace is up and has a carrier. False
/// when there is no such interface. Throws SystemError when the kernel cannot be asked.
[[nodiscard]] bool is_link_up(const std::string& interface);

/// A non-blocking rtnetlink socket that becomes readable whenever a link of the calling thread's
/// network namespace has changed. The kernel tells of a lost carrier up to a second late. Throws
/// SystemError.
[[nodiscard]] FileDescriptor open_link_news();
/// Takes the news, so that the socket is readable for the next. What they say is not looked at: ask
/// is_link_up().
void drain_link_news(int news);

}  // namespace gradwire::testbed
