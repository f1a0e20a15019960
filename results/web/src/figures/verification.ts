import type { Run, Verification } from "../data";
import type { Family, Figure, View } from "../figure";
import { run_labels } from "../points";
import type { Cell, Table } from "../table";

interface Verified {
  run: string;
  found: Verification;
}

/** The verifications of the runs whose rows are shown. */
function verified(view: View): Verified[] {
  const labels = run_labels(view.data.runs);
  const shown = new Set(view.points.map((p) => p.run));
  return view.data.runs.flatMap((run, i) =>
    run.verification !== null && (shown.has(run) || run.rows.length === 0)
      ? [{ run: labels[i], found: run.verification }]
      : [],
  );
}

/** Runs on hosts that nobody had verified. */
function unverified(view: View): string[] {
  const labels = run_labels(view.data.runs);
  const on_hosts = (run: Run): boolean => view.points.some((p) => p.run === run && p.row.backing === "hosts");
  return view.data.runs.flatMap((run, i) => (run.verification === null && on_hosts(run) ? [labels[i]] : []));
}

const count = (one: Verified, which: "passed" | "failed"): number =>
  one.found.checks.reduce((sum, check) => sum + check[which], 0);

function rows_of({ run, found }: Verified): Cell[][] {
  const text = (what: string, value: string): Cell[] => [run, what, value, null, null];
  return [
    text("finished", found.finished),
    text("wiring", found.wiring),
    ...Object.entries(found.settings).map(([name, value]) => text(`setting ${name}`, String(value))),
    ...found.checks.map((one): Cell[] => [run, `check ${one.check}`, null, one.passed, one.failed]),
    ...found.failures.map((message) => text("failed", message)),
    ...found.ignored.map((objection) => text("ignored", objection)),
  ];
}

function verification_table(all: Verified[]): Table {
  return {
    caption: "Verification of the hosts",
    columns: [{ title: "run" }, { title: "what" }, { title: "value" }, { title: "passed" }, { title: "failed" }],
    rows: all.flatMap(rows_of),
  };
}

function note_of(one: Verified): string {
  const failed = count(one, "failed");
  const passed = count(one, "passed");
  const checks = failed ? `${failed} of ${passed + failed} checks failed` : `all ${passed} checks passed`;
  const ignored = one.found.ignored.length ? "; measured in spite of that" : "";
  return `${one.run}: ${checks}, ${one.found.finished}${ignored}.`;
}

export function verification_figure(view: View): Figure {
  const all = verified(view);
  return {
    title: "Verification: what the hosts were found to be",
    definition:
      "Before a run, verify.yml checks every host, port, cable and pair of neighbours of the testbed; a run wants that all passed, and that no host was restarted since.",
    unit: "checks",
    notes: [...all.map(note_of), ...unverified(view).map((run) => `${run}: measured on hosts that were not verified.`)],
    picture: null,
    table: () => verification_table(all),
  };
}

export const verification: Family = {
  id: "verification",
  section: "context",
  applies: (view) => verified(view).length > 0,
  controls: () => [],
  figure: verification_figure,
};
