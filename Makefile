# The front door: everything behind it is CMake, CTest and the gradwire program itself.
PRESET ?= release
BUILD := build/$(PRESET)
GRADWIRE := $(BUILD)/harness/gradwire
WEB := results/web

.PHONY: demo test test-all test-asan test-tsan sanitize fuzz faults configure build deb bench kill-test faults-emulated faults-loopback roce provision training training-backends reproduce claims prediction schema packages packages-program format format-check

# Warnings are errors with WERROR=ON, which CI says. Another value than before compiles everything anew.
CONFIGURE = cmake --preset $(PRESET) $(if $(WERROR),-DGRADWIRE_WERROR=$(WERROR))

# Builds the program alone. Six iterations are the fewest that a confidence interval is printed for.
demo: packages-program
	$(CONFIGURE) -DBUILD_TESTING=OFF
	cmake --build --preset $(PRESET) --target gradwire
	$(GRADWIRE) run experiments/quickstart.yaml --warmup 1 --iterations 6

# The tests for every change: docs/testing.md says which these are.
test: configure
	cmake --build --preset $(PRESET) --target quick_tests
	@tests/run $(PRESET) -L quick -j 2

# All that `make test` leaves out.
test-all: build
	@tests/run $(PRESET) -LE quick -j 2

# All tests of compiled code, with AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer.
test-asan: packages
	cmake --preset asan
	cmake --build --preset asan
	tests/sanitizers/run asan -j 2

# Those of what has threads, transports and workers, with ThreadSanitizer.
test-tsan: packages
	cmake --preset tsan
	cmake --build --preset tsan
	tests/sanitizers/run tsan -j 2

sanitize: test-asan test-tsan

# Fuzzes every reader of bytes from outside, or TARGET="experiment frame", each for so many SECONDS, or EXECUTIONS if these
# end earlier.
fuzz: packages
	cmake --preset fuzz
	cmake --build --preset fuzz
	tests/fuzz/run.py build/fuzz/tests/fuzz --seconds $(or $(SECONDS),60) --executions $(or $(EXECUTIONS),-1) $(TARGET)

configure: packages
	$(CONFIGURE) -DBUILD_TESTING=ON

build: configure
	cmake --build --preset $(PRESET)

# Debian packages of the program, of libgradwire and of the package for Python, in build/release/packages.
deb: build
	cpack --config $(BUILD)/CPackConfig.cmake -B $(BUILD)/packages

bench: build
	$(BUILD)/tests/bench/add_bench
	$(BUILD)/tests/bench/check_bench
	$(BUILD)/tests/bench/cuda_bench
	$(BUILD)/tests/bench/execute_bench
	$(BUILD)/tests/bench/report_bench
	$(BUILD)/tests/bench/schedule_bench
	@if [ -x $(BUILD)/tests/bench/simulate_bench ]; then $(BUILD)/tests/bench/simulate_bench; \
	else echo "NOT RUN, simulate_bench: it compares with SimGrid, which is missing"; fi

# Kills the writer of a run folder 2000 times.
kill-test: build
	GRADWIRE_KILLS=1000 $(BUILD)/tests/results/record/kill_test

# Injects faults, drawn from SEED, and judges what comes of them (docs/faults.md). PART=2/8 makes the second eighth of
# them, FOR=3600 goes on for an hour, ONLY="kill,24" takes these cases, JSON=FILE keeps what came of them.
SEED ?= 1
FAULTS = --seed $(SEED) $(if $(PART),--part $(PART)) $(if $(ONLY),--only $(ONLY)) $(if $(JSON),--json $(JSON))
faults: faults-emulated faults-loopback

# Into small emulated runs.
faults-emulated: build
	tests/faults/faults.py $(GRADWIRE) $(FAULTS) $(if $(FOR),--for $(FOR),--runs $(or $(RUNS),2000))

# Into ranks of one process over the loopback interface.
faults-loopback: build
	$(BUILD)/tests/faults/loopback/loopback_faults --markdown --jobs 14 $(FAULTS) \
	  $(if $(FOR),--for $(FOR),--runs $(or $(RUNS),10000))

# The tests and experiments that need RDMA devices, in a virtual machine whose kernel has Soft-RoCE.
roce: build
	GRADWIRE_ROCE_TIMEOUT=1800 testbed/roce/run --ucx $(BUILD) experiments/roce-bcube22.yaml experiments/roce-bcube32.yaml

# From bare Debian to a verified BCube(2,2) and a first result, on four virtual machines with kernels of their own.
provision: build
	tests/provisioning/machines_test.py $(BUILD)/provisioning $(GRADWIRE) results/runs/provision-$$(date -u +%Y%m%dT%H%M%SZ)

# Trains LeNet-5 on emulated wirings, with every schedule, into a run folder with its report. Needs python3-torch and
# python3-sklearn.
training: build
	@library/examples/training.py $(abspath $(GRADWIRE)) results/runs/training-$$(date -u +%Y%m%dT%H%M%SZ); ended=$$?; \
	if [ $$ended -ne 77 ]; then exit $$ended; fi

# How long iterations take over gloo and over gradwire, on one switch and on a BCube. Let nothing else run.
training-backends: build
	PYTHONPATH=$(abspath $(BUILD))/library/pytorch library/examples/backends.py $(abspath $(GRADWIRE))

# Runs every shipped experiment into results/published, and puts the papers' claims beside them. ONLY="quickstart
# figure5" runs these; FRESH=1 forgets an interrupted attempt.
reproduce: build
	@ONLY="$(ONLY)" FRESH="$(FRESH)" results/claims/run-all $(abspath $(GRADWIRE)); ran=$$?; \
	if [ $$ran -eq 130 ]; then exit 130; fi; \
	$(BUILD)/results/claims/gradwire-claims && exit $$ran

# The same table from the runs that are there.
claims: build
	@$(BUILD)/results/claims/gradwire-claims

# Predicts and measures every experiment of experiments/prediction into results/prediction, and says how far they are
# apart. ONLY="tcp-10g ucx" runs these; FRESH=1 forgets an interrupted attempt.
prediction: build
	@ONLY="$(ONLY)" FRESH="$(FRESH)" results/claims/run-all $(abspath $(GRADWIRE)) experiments/prediction results/prediction; \
	ran=$$?; if [ $$ran -eq 130 ]; then exit 130; fi; \
	$(GRADWIRE) results predictions results/prediction && exit $$ran

# Writes the schema of results.json anew from the table of metrics, results/report/metrics/.
schema: packages
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) --target gradwire
	$(GRADWIRE) results schema results > $(BUILD)/results.schema.json
	cp $(BUILD)/results.schema.json results/schema/results.schema.json

# Installs what packages.txt lists and the machine lacks. Asks for root only when something is missing.
packages:
	@bash cmake/install-packages packages.txt

# The same for the program alone.
packages-program:
	@bash cmake/install-packages packages.txt program 'optional libraries'

format:
	git ls-files '*.h' '*.cc' '*.cu' | xargs clang-format -i
	@if [ -e $(WEB)/node_modules/.complete-tests ]; then cd $(WEB) && npm run --silent format; fi

# Says nothing where all is laid out as the formatters would, and fails with the places where it is not. Prettier takes
# part where the page's packages are fetched; CTest's page.format always does.
format-check: packages
	@git ls-files '*.h' '*.cc' '*.cu' | xargs clang-format --dry-run -Werror
	@if [ -e $(WEB)/node_modules/.complete-tests ]; then cd $(WEB) && npm run --silent format:check >/dev/null; fi
