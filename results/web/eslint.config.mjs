// What ESLint and typescript-eslint recommend, with types; and the limits that tests/style/limits.py has for the other
// languages: 500 lines a file, 60 lines a function, 5 parameters.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";
import { case_lines } from "./tools/case_lines.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const kMostFunctionLines = 60;
const kScripts = ["console", "process", "performance", "requestAnimationFrame"]; // of Node and of the browser

export default defineConfig(
  { ignores: ["node_modules/", "dist/"] },
  js.configs.recommended,
  {
    rules: {
      "max-lines": ["error", { max: 500 }],
      "max-lines-per-function": ["error", { max: kMostFunctionLines, IIFEs: true }],
      "max-params": ["error", { max: 5 }],
    },
  },
  {
    files: ["**/*.ts", "**/*.mts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: here } },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: Object.fromEntries(kScripts.map((name) => [name, "readonly"])) },
  },
  {
    files: ["**/*.test.ts"],
    plugins: { gradwire: { rules: { "case-lines": case_lines } } },
    rules: { "max-lines-per-function": "off", "gradwire/case-lines": ["error", kMostFunctionLines] },
  },
  {
    // Tests look into ECharts' options, which have no type that says what is in them.
    files: ["tests/**", "page-tests/**"],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
);
