// Writes a run as gradwire does, and says to the log what was acknowledged:
//
//     power_writer ROOT LOG new|resume
#include "writer.h"

#include <stdexcept>
#include <string>

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/text/output_file.h"
#include "harness/run/resumption.h"
#include "promises.h"
#include "results/record/stored_run.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

/// A run that is written, and what of it was acknowledged.
class Writer {
 public:
  Writer(fs::path root, const fs::path& log)
      : root_(std::move(root)),
        log_(checked(::open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), "open the log")) {}

  void begin() {
    RunFolder folder = create_folder(root_ / kRunPath);
    say("created");
    write(folder);
  }

  void resume() {
    const fs::path path = root_ / kRunPath;
    RunFolder folder = RunFolder::resume(path);
    const StoredRun before = read_run(path);
    const run::ResumedExperiment resumed = run::resume_experiment(before, {});
    done_ = found_in(root_);
    folder.begin_attempt(resumed.attempt);
    folder.write_context(run::resumed_context(
        before.context,
        {.planned = 2, .experiment = resumed.experiment, .overrides = resumed.overrides}));
    say(fmt::format("attempt {}", resumed.attempt));
    write(folder);
  }

 private:
  void say(const std::string& what) {
    const std::string line = "said " + what + "\n";
    if (::write(log_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      throw std::runtime_error("the log is full");
    }
  }

  void write(RunFolder& folder) {
    for (const std::size_t point : {0u, 1u}) {
      const PointRecord record = point_record(point, folder.attempt());
      folder.begin(record);
      for (int i = 0; i < 5; ++i) write_sample(folder, record);
      folder.mark(record.key, kWriterFlag);
      say("flag " + record.key);
      write_documents(folder);
    }
  }

  /// Lines within a block, and lines of several blocks.
  void write_sample(RunFolder& folder, const PointRecord& record) {
    const std::size_t number = ++done_.samples[record.key];
    Sample made = sample(record, number, static_cast<int>(number));
    constexpr std::size_t kRanks[] = {2, 40, 400};
    made.ranks.resize(kRanks[number % std::size(kRanks)], made.ranks.back());
    folder.append(made);
    say(fmt::format("sample {} {}", record.key, number));
    if (number % 2 == 0) return;
    const std::size_t timeline = ++done_.timelines;
    folder.keep(
        {.key = record.key,
         .attempt = record.attempt,
         .iteration = timeline,
         .ranks = std::vector(20 * number, RankIteration{.end = std::chrono::microseconds(9)})});
    say(fmt::format("timeline {}", timeline));
  }

  void write_documents(const RunFolder& folder) {
    folder.write_results({{"number", ++done_.results}, {"long", std::string(5000, 'x')}});
    say(fmt::format("results {}", done_.results));
    text::write_output_file(root_ / kTablePath, table_of(++done_.table));
    say(fmt::format("table {}", done_.table));
  }

  const fs::path root_;
  const FileDescriptor log_;
  Promises done_;
};

}  // namespace
}  // namespace gradwire::record

int main(int count, char** arguments) try {
  using gradwire::record::Writer;
  if (count != 4) throw std::runtime_error("needs ROOT LOG new|resume");
  Writer writer(arguments[1], arguments[2]);
  std::string(arguments[3]) == "new" ? writer.begin() : writer.resume();
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
