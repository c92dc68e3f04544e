import { describe, expect, it } from "vitest";
import { settle } from "../../src/check/settle.js";
import type { Diagnostic } from "../../src/diagnostic.js";

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
  it("drops duplicates, as from a part that a template uses several times", () => {
    expect(settle([found, { ...found }, { ...found }], options)).toEqual([found]);
  });

  it("keeps findings that differ in place, message or template", () => {
    const others = [
      found,
      { ...found, message: "The image b.png has no alt text." },
      { ...found, template: "welcome" },
      { ...found, at: { file: "logo.tsx", line: 3, column: 6 } },
    ];
    expect(settle(others, options)).toEqual(others);
  });
});
