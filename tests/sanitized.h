#pragma once

/// Which sanitizer this program is built with, for tests that one of them cannot run.
namespace gradwire::testing {

#if defined(__has_feature)
#define GRADWIRE_HAS_FEATURE(name) __has_feature(name)
#else
#define GRADWIRE_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || GRADWIRE_HAS_FEATURE(address_sanitizer)
inline constexpr bool kAddressSanitized = true;
#else
inline constexpr bool kAddressSanitized = false;
#endif

#if defined(__SANITIZE_THREAD__) || GRADWIRE_HAS_FEATURE(thread_sanitizer)
inline constexpr bool kThreadSanitized = true;
#else
inline constexpr bool kThreadSanitized = false;
#endif

#undef GRADWIRE_HAS_FEATURE

inline constexpr bool kSanitized = kAddressSanitized || kThreadSanitized;

}  // namespace gradwire::testing
