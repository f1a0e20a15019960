"""Records models on a device, and compares the times with derived and published ones."""

from . import efficiency, figure9, papers, program

# float32: what it says. tf32: products of float32 in TF32, as NVIDIA's GPUs from Ampere on can. bf16: the mixed precision
# that PyTorch's own documentation trains with, autocast. Parameters and gradients are float32 in all of them, so that whoever
# sends gradients in half casts them; model.bfloat16() would update weights of 8 bits, which hardly anybody does.
PRECISIONS = ("float32", "tf32", "bf16")


class Measurement:
    """Measurements on one device. `recording`: the module of that name, which needs PyTorch."""

    def __init__(self, arguments, recording):
        torch = recording.torch
        self.arguments = arguments
        self.recording = recording
        self.device = torch.device("cuda", 0) if arguments.device == "cuda" else torch.device("cpu")
        self.is_gpu = self.device.type == "cuda"
        self.name = recording.name_of(self.device)
        self.folder = arguments.out or papers.ROOT / "experiments/traces" / self.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.program = program.Program(arguments.gradwire) if arguments.gradwire else None
        # As training scripts have it: the fastest algorithms are looked for while nothing is timed.
        torch.backends.cudnn.benchmark = True

    def run(self):
        """Records the requested models, and evaluates the recordings as far as possible."""
        there = self.record()
        if self.program:
            self.hold_against_derived(there)
        self.run_figure9()

    def marked(self, text):
        """Marks the text of a CPU, so that nobody takes it for a GPU's."""
        return text if self.is_gpu else f"[of a CPU] {text}"

    def say(self, *lines):
        for line in lines:
            print(self.marked(line), flush=True)

    def trace_of(self, workload, batch, precision):
        return f"{workload}-b{batch}-{precision}-{self.name}.csv"

    def batches_of(self, workload):
        return self.arguments.batches or papers.BATCHES[workload]

    def record(self):
        """Records every requested model. Returns (workload, batch, precision) of the traces."""
        there = []
        for workload in self.arguments.models:
            model = self.recording.Recording(workload, self.device, self.arguments.iterations)
            for precision in self.arguments.precisions:
                there += [(workload, batch, precision) for batch in self.batches_of(workload)
                          if self.record_one(model, workload, batch, precision)]
        return there

    def record_one(self, model, workload, batch, precision):
        """Records one model, unless its trace exists. Returns whether there is a trace."""
        path = self.folder / self.trace_of(workload, batch, precision)
        why_not = self.recording.lacks(self.device, precision)
        if why_not:
            self.say(f"{path.stem}: NOT RUN: {why_not}")
            return False
        if path.exists():
            self.say(f"{path.stem}: kept as it is there")
            return True
        try:
            profile = model.profile(batch, precision)
        except self.recording.torch.cuda.OutOfMemoryError:
            self.say(f"{path.stem}: NOT RUN: the GPU's memory is too small")
            return False
        path.with_name(f"{path.stem}-spread.csv").write_text(profile.spread_csv(), encoding="utf-8")
        unfinished = path.with_suffix(".part")  # what is interrupted is not kept
        profile.write(unfinished)
        unfinished.replace(path)
        self.say(*(f"{path.stem}: {found}" for found in profile.findings()))
        return True

    def hold_against_derived(self, there):
        """Writes efficiency.json, and prints its content."""
        device = self.arguments.peak_of or efficiency.device_of(self.name)
        if not device:
            self.say(f"efficiency: NOT RUN: gradwire knows no peak of {self.name}; --peak-of names a device that it is")
            return
        shares = []
        for workload, batch, precision in there:
            trace = (self.folder / self.trace_of(workload, batch, precision)).read_text(encoding="utf-8")
            measured, assumed = program.times_of(trace), self.program.derived(workload, device, batch)
            self.say(f"{workload}, batch {batch}, {precision}: {sum(measured.values()) / 1e3:.2f} ms measured, "
                     f"{sum(assumed.values()) / 1e3:.2f} ms derived of {device} at the default efficiency")
            shares += efficiency.shares((workload, batch, precision), measured,
                                        self.program.derived(workload, device, batch, efficiency=1))
        for each in efficiency.pooled(shares):
            most = "bandwidth" if each["kind"] == efficiency.NORMALIZATION else "peak"
            self.say(f"{each['precision']}, {each['kind']}: {100 * each['share']:.1f} % of the {most} of {device}, from "
                     f"{100 * each['lowest']:.1f} to {100 * each['highest']:.1f} %")
        (self.folder / "efficiency.json").write_text(efficiency.to_json(shares, device, self.name, self.is_gpu),
                                                     encoding="utf-8")

    def run_figure9(self):
        """Writes figure9.txt, and prints it."""
        gains = figure9.run(self.program, self.folder, self.trace_of)
        if not gains:
            self.say("Figure 9: NOT RUN: it needs --gradwire, and traces of its models with the paper's batches")
            return
        lines = figure9.compared(gains)
        (self.folder / "figure9.txt").write_text("".join(f"{self.marked(line)}\n" for line in lines), encoding="utf-8")
        self.say(*lines)
