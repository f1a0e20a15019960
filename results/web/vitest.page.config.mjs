import { defineConfig } from "vitest/config";

// One browser for a file of tests; waits are deadlines, not what is tested.
export default defineConfig({
  test: {
    include: ["page-tests/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
