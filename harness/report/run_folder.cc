#include "harness/report/run_folder.h"

#include <cerrno>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "harness/file.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSamples = "samples.ndjson";

void check_out(const fs::path& out) {
  std::error_code error;
  const fs::file_status status = fs::status(out, error);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) {
    throw InputError(SourcePlace{.file = out.string()}, "exists and is not a folder");
  }
  const bool empty = fs::is_empty(out, error);
  if (error) throw SystemError("read folder " + out.string(), error.value());
  if (!empty) throw InputError(SourcePlace{.file = out.string()}, "the folder is not empty");
}

std::string random_id() {
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> pick(0, kLetters.size() - 1);
  std::string id;
  for (int i = 0; i < 6; ++i) id += kLetters[pick(device)];
  return id;
}

fs::path folder_for(const RunFolder::Options& options) {
  if (options.out) {
    // "runs/x/" means "runs/x", and the name beside it is made from the last part.
    return options.out->has_filename() ? *options.out : options.out->parent_path();
  }
  const std::time_t started = std::chrono::system_clock::to_time_t(options.started);
  return options.parent /
         fmt::format("{}-{:%Y%m%dT%H%M%SZ}-{}", options.name, fmt::gmtime(started), random_id());
}

void create_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw SystemError("create folder " + path.string(), error.value());
}

/// Puts in what every run folder begins with, and returns samples.ndjson, open for appending.
FileDescriptor fill(const fs::path& folder, const RunFolder::Options& options,
                    const nlohmann::json& context) {
  write_file_atomically(folder / "experiment.yaml", options.experiment);
  write_file_atomically(folder / "context.json", context.dump(2) + "\n");
  const fs::path path = folder / kSamples;
  FileDescriptor samples(
      checked(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666),
              "create " + path.string()));
  sync_folder(folder);
  return samples;
}

/// Fills a folder under another name and then gives it its own.
FileDescriptor create_whole(const fs::path& folder, const RunFolder::Options& options,
                            const nlohmann::json& context) {
  fs::path partial = folder;
  partial += ".partial-" + random_id();
  checked(::mkdir(partial.c_str(), 0777), "create folder " + partial.string());
  try {
    FileDescriptor samples = fill(partial, options, context);
    checked(::rename(partial.c_str(), folder.c_str()),
            fmt::format("rename {} to {}", partial.string(), folder.string()));
    sync_folder(folder.parent_path());
    return samples;
  } catch (const SystemError&) {
    std::error_code ignored;  // the first error is the one to report
    fs::remove_all(partial, ignored);
    throw;
  }
}

}  // namespace

RunFolder RunFolder::create(const Options& options, const nlohmann::json& context) {
  const fs::path folder = folder_for(options);
  check_out(folder);
  if (fs::exists(folder)) {
    // An empty folder may be a mount point, which no rename can replace.
    return {folder, fill(folder, options, context)};
  }
  if (folder.has_parent_path()) create_folders(folder.parent_path());
  return {folder, create_whole(folder, options, context)};
}

RunFolder::RunFolder(std::filesystem::path path, FileDescriptor samples)
    : path_(std::move(path)), samples_(std::move(samples)) {}

void RunFolder::fail_append(const std::string& operation, int error_number) {
  append_error_ = error_number;
  // O_APPEND leaves what did get written; take it back so that no reader sees half a line. If even
  // this fails, the first error is still the one to report.
  [[maybe_unused]] const int ignored =
      ::ftruncate(samples_.get(), static_cast<off_t>(samples_bytes_));
  throw SystemError(fmt::format("{} {}", operation, (path_ / kSamples).string()), error_number);
}

void RunFolder::append(const Sample& sample) {
  if (append_error_ != 0) {
    throw SystemError("append to " + (path_ / kSamples).string() + " after it failed",
                      append_error_);
  }
  const std::string line = to_json(sample).dump() + "\n";
  ssize_t written = 0;
  do {
    written = ::write(samples_.get(), line.data(), line.size());
  } while (written == -1 && errno == EINTR);
  if (written == -1) fail_append("append to", errno);
  // A regular file takes part of a write only when there is no room for the rest.
  if (static_cast<std::size_t>(written) != line.size()) fail_append("append to", ENOSPC);
  if (::fdatasync(samples_.get()) == -1) fail_append("fdatasync", errno);
  samples_bytes_ += line.size();
}

void RunFolder::write_calibration(const nlohmann::json& calibration) const {
  write_file_atomically(path_ / "calibration.json", calibration.dump(2) + "\n");
}

void RunFolder::write_results(std::span<const Row> rows,
                              const std::optional<Comparison>& comparison) const {
  nlohmann::json results = {{"version", 1}, {"rows", nlohmann::json::array()}};
  for (const Row& row : rows) results["rows"].push_back(to_json(row));
  if (comparison) results["comparison"] = to_json(*comparison, rows);
  write_file_atomically(path_ / "results.json", results.dump(2) + "\n");
}

}  // namespace gradwire::harness
