import { PassThrough, Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/cli/arguments.js";
import { askYesNo, confirmEnvironment, type Terminal } from "../../src/cli/ask.js";

const production = { name: "production", confirm: true };
const never = new AbortController().signal;

/** A terminal with simulated input. */
function terminal(typed: string, isTTY = true): Terminal & { readonly printed: () => string } {
  const input = Object.assign(new PassThrough(), { isTTY });
  let printed = "";
  const output = new Writable({
    write(chunk, _, done) {
      printed += String(chunk);
      done();
    },
  });
  input.write(typed);
  return { input, output: Object.assign(output, { isTTY }), printed: () => printed };
}

describe("confirming an environment", () => {
  test.each([
    ["production\n", true],
    ["  production \r\n", true],
    ["Production\n", false],
    ["yes\n", false],
    ["\n", false],
    // Ctrl-D
    ["\u0004", false],
  ])("typing %j: %s", async (typed, isConfirmed) => {
    const at = terminal(typed);
    expect(await confirmEnvironment(production, { yes: false, signal: never, terminal: at })).toBe(isConfirmed);
    expect(at.printed()).toContain("To change the environment production, type its name: ");
  });

  test("asks nothing if no confirmation is needed, or with --yes", async () => {
    const at = terminal("", false);
    expect(await confirmEnvironment({ name: "staging" }, { yes: false, signal: never, terminal: at })).toBe(true);
    expect(await confirmEnvironment(production, { yes: true, signal: never, terminal: at })).toBe(true);
    expect(at.printed()).toBe("");
  });

  test("fails without a terminal and names the flag", async () => {
    const at = terminal("production\n", false);
    const refused: unknown = await confirmEnvironment(production, { yes: false, signal: never, terminal: at }).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(UsageError);
    expect(refused).toMatchObject({ code: "usage", hint: "Add --yes to confirm." });
  });

  test("an interruption ends this question and all later ones", async () => {
    const controller = new AbortController();
    const confirmation = confirmEnvironment(production, {
      yes: false,
      signal: controller.signal,
      terminal: terminal("prod"),
    });
    controller.abort();
    await expect(confirmation).rejects.toMatchObject({ code: "aborted" });
    const next = askYesNo("Delete?", { flag: "--yes", signal: controller.signal, terminal: terminal("y\n") });
    await expect(next).rejects.toMatchObject({ code: "aborted" });
  });
});

test.each([
  ["y\n", true],
  ["YES\n", true],
  ["yep\n", false],
  ["\n", false],
])("a question answered with %j: %s", async (typed, expected) => {
  const at = terminal(typed);
  expect(await askYesNo("Delete 3 templates?", { flag: "--yes", signal: never, terminal: at })).toBe(expected);
  expect(at.printed()).toContain("Delete 3 templates? [y/N] ");
});

test("a question fails without a terminal and names its flag", async () => {
  const answer = askYesNo("Delete 3 templates?", { flag: "--prune", signal: never, terminal: terminal("y\n", false) });
  await expect(answer).rejects.toMatchObject({ code: "usage", hint: "Add --prune to answer yes." });
});
