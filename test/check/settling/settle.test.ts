import { describe, expect, it } from "vitest";
import { settle } from "../../../src/check/settling/settle.js";
import type { Diagnostic } from "../../../src/diagnostic.js";

const options = {
  results: [],
  loading: [],
  config: { rules: {}, overrides: [] },
  known: ["image-alt"],
  read: () => undefined,
};

const found: Diagnostic = {
  rule: "image-alt",
  severity: "warning",
  message: "The image has no alt text.",
  template: "receipt",
  at: { file: "logo.tsx", line: 3, column: 5 },
};

describe("settle", () => {
  it("reports once what a part causes in each place where a template uses it", () => {
    expect(settle([found, { ...found }, { ...found }], options)).toEqual([found]);
  });

  it("tells apart what differs in its place, its words or its template", () => {
    const others = [
      found,
      { ...found, message: "The image b.png has no alt text." },
      { ...found, template: "welcome" },
      { ...found, at: { file: "logo.tsx", line: 3, column: 6 } },
    ];
    expect(settle(others, options)).toEqual(others);
  });
});
