import { readFileSync } from "node:fs";
import { paper } from "./paper";
import { UnreadableReport } from "./read";

/** Reads the page's document on stdin; writes {"file.svg": "<svg ..."} on stdout. */
try {
  process.stdout.write(JSON.stringify(paper(readFileSync(0, "utf8"))));
} catch (error) {
  if (!(error instanceof UnreadableReport)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
