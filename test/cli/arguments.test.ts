import { describe, expect, it } from "vitest";
import { parseArguments, UsageError, wholeNumber } from "../../src/cli/arguments.js";
import { type Command, defineCommand, exitCode } from "../../src/cli/command.js";

const command: Command = defineCommand({
  operands: "[names…]",
  flags: {
    dryRun: { summary: "Change nothing" },
    out: { summary: "Where", value: "DIR" },
    to: { summary: "Whom", value: "ADDRESS", many: true },
    part: { summary: "Which", value: "PART", oneOf: ["html", "text"] },
  },
  examples: ["templates try"],
  run: async () => exitCode.done,
});

function failure(args: readonly string[]): UsageError {
  try {
    parseArguments("try", command, args);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error(`${args.join(" ")} was taken`);
}

describe("parseArguments", () => {
  it("reads switches, values, repeated flags and operands in any order", () => {
    const { names, flags } = parseArguments("try", command, [
      "receipt",
      "--dry-run",
      "--to",
      "a@b.c",
      "welcome",
      "--to=d@e.f",
      "--out",
      "x y",
    ]);
    expect(names).toEqual(["receipt", "welcome"]);
    expect(flags).toMatchObject({ dryRun: true, to: ["a@b.c", "d@e.f"], out: "x y", json: false, part: undefined });
  });

  it("refuses an unknown flag with a suggestion", () => {
    expect(failure(["--drt-run"])).toMatchObject({
      message: 'Unknown flag --drt-run for "templates try".',
      hint: "Did you mean --dry-run?",
    });
    expect(failure(["--nonsense"]).hint).toBe("Run: templates try --help");
    expect(failure(["-x"]).message).toContain("-x");
  });

  it("does not use a flag as the value of another flag", () => {
    expect(failure(["--out", "--dry-run"]).message).toBe("--out needs a value: --out DIR.");
    expect(failure(["--out="]).message).toBe("--out needs a value: --out DIR.");
  });

  it("refuses a value for a switch and a value that is not allowed", () => {
    expect(failure(["--dry-run=yes"]).message).toBe("--dry-run takes no value.");
    expect(failure(["--part", "htm"])).toMatchObject({
      message: '--part must be one of html, text, not "htm".',
      hint: "Did you mean html?",
    });
  });

  it("checks the number of operands, except with --help", () => {
    const one: Command = { ...command, operands: "NAME", count: [1, 1] };
    expect(() => parseArguments("try", one, [])).toThrow('"templates try" needs NAME.');
    expect(() => parseArguments("try", one, ["a", "b"])).toThrow('"templates try" does not take "b".');
    expect(parseArguments("try", one, ["--help"]).flags["help"]).toBe(true);
    expect(parseArguments("try", one, ["-h"]).flags["help"]).toBe(true);
  });
});

describe("wholeNumber", () => {
  it("accepts only whole numbers in the range", () => {
    expect(wholeNumber("--port", "4680", 0, 65_535)).toBe(4680);
    expect(wholeNumber("--port", undefined, 0, 65_535)).toBeUndefined();
    for (const text of ["-1", "1.5", "65536", "http", " 1", ""])
      expect(() => wholeNumber("--port", text, 0, 65_535)).toThrow(UsageError);
  });
});
