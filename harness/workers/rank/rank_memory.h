#pragma once

#include <cstddef>
#include <optional>

#include "core/elements.h"
#include "core/extent.h"
#include "core/id.h"
#include "core/pattern.h"

namespace gradwire::workers {

/// A rank's data, in whichever memory they lie: what is put there, and looked at, between
/// collectives. A view, as Elements are: whoever owns the memory keeps it. Extents lie within it.
class RankMemory {
 public:
  virtual ~RankMemory() = default;

  /// Makes every element of an extent 0.
  virtual void clear(const Extent& extent) const = 0;
  /// Puts there what the rank contributes to these elements.
  virtual void fill(const Pattern& pattern, Rank rank, const Extent& extent) const = 0;
  /// Blocks until what was put there is there.
  virtual void settle() const = 0;
  /// The first element of an extent that is not what fill() puts there.
  [[nodiscard]] virtual std::optional<std::size_t> find_damaged(const Pattern& pattern, Rank rank,
                                                                const Extent& extent) const = 0;
  /// The number of elements of an extent that are not the pattern's sums.
  [[nodiscard]] virtual std::size_t count_wrong(const Pattern& pattern,
                                                const Extent& extent) const = 0;
  /// The value of an element; of int64 the nearest double. For messages.
  [[nodiscard]] virtual double value_at(std::size_t element) const = 0;
};

/// Data in the host's memory.
class HostMemory final : public RankMemory {
 public:
  explicit HostMemory(Elements elements) : elements_(elements) {}

  void clear(const Extent& extent) const override;
  void fill(const Pattern& pattern, Rank rank, const Extent& extent) const override;
  void settle() const override {}
  [[nodiscard]] std::optional<std::size_t> find_damaged(const Pattern& pattern, Rank rank,
                                                        const Extent& extent) const override;
  [[nodiscard]] std::size_t count_wrong(const Pattern& pattern,
                                        const Extent& extent) const override;
  [[nodiscard]] double value_at(std::size_t element) const override;

 private:
  Elements elements_;
};

}  // namespace gradwire::workers
