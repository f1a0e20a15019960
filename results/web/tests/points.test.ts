import { describe, expect, it } from "vitest";
import { gradients_of, points_of, run_labels, varying, wiring_family } from "../src/points";
import { document_of } from "../tools/fixture";
import { run } from "../tools/fixture_rows";
import { plain_row } from "./make";

describe("labels of runs", () => {
  it("are names, with folders where names repeat, with places where folders do", () => {
    const runs = [
      run("a", [], { folder: "runs/x" }),
      run("b", [], { folder: "runs/y/" }),
      run("a", [], { folder: "runs/z" }),
      run("a", [], { folder: "other/z" }),
    ];
    expect(run_labels(runs)).toEqual(["a, x", "b", "a, z (3)", "a, z (4)"]);
  });
});

describe("wiring families", () => {
  it.each([
    ["bcube(3,2)", "bcube"],
    ["single-switch(2048)", "single-switch"],
    ["fat-tree(16, nics=2, ecmp, seed=7)", "fat-tree(nics=2, ecmp)"],
    ["mine", "mine"],
  ])("%s is of %s", (wiring, family) => expect(wiring_family(wiring)).toBe(family));
});

describe("gradients", () => {
  it("of nearly the same size are not the same", () => {
    const names = [65536, 65540, 65544].map((bytes) =>
      gradients_of(points_of(document_of([run("a", [plain_row("ring", "w", 1, { workload: "", bytes })])]))[0]),
    );
    expect(names).toEqual(["64 KiB", "65\u202f540 B", "65\u202f544 B"]);
  });

  it("say workload and batch", () => {
    const [point] = points_of(document_of([run("a", [plain_row("ring", "w", 1, { workload: "lenet5", batch: 128 })])]));
    expect(gradients_of(point)).toBe("lenet5, 12.5 MiB, batch 128");
  });
});

describe("what varies", () => {
  it("is found, in order", () => {
    const points = points_of(
      document_of([run("a", [plain_row("ring", "w", 1), plain_row("ps", "w", 2, { backing: "simulated" })])]),
    );
    expect(varying(points)).toEqual(["algorithm", "backing"]);
  });
});
