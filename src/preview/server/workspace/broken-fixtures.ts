import path from "node:path";
import type { Diagnostic } from "../../../diagnostic.js";
import { completeVariables } from "../../../mustache/complete.js";
import type { FilledFixture } from "../../../template/template.js";
import { type Entry, fixturesOf } from "./entry.js";

/** A fixture whose file cannot be read, as it was when it could be. */
export interface BrokenFixture {
  readonly name: string;
  readonly diagnostic: Diagnostic;
  /** Absent where it never could be read. */
  readonly last?: FilledFixture;
}

/** @param before What is known of the template from before. */
export function brokenFixtures(diagnostics: readonly Diagnostic[], before: Entry | undefined): BrokenFixture[] {
  const known = [...(before?.shown?.result.compiled.fixtures ?? []), ...lastOf(before?.brokenFixtures)];
  return diagnostics.flatMap((diagnostic): BrokenFixture[] => {
    const { at, severity } = diagnostic;
    if (severity !== "error" || at === undefined) return [];
    const name = path.basename(at.file, ".json");
    const last = known.find((fixture) => fixture.name === name);
    return [{ name, diagnostic, ...(last && { last }) }];
  });
}

function lastOf(broken: readonly BrokenFixture[] = []): FilledFixture[] {
  return broken.flatMap(({ last }) => last ?? []);
}

/** A fixture as the page shows it. */
export interface ShownFixture extends FilledFixture {
  /** Why it is not what lies in its file. */
  readonly problem?: string;
}

export function shownFixtures({ shown, brokenFixtures: broken = [] }: Entry): readonly ShownFixture[] {
  const { fixtures = [], contract } = shown?.result.compiled ?? {};
  const names = new Set(broken.map(({ name }) => name));
  const all: readonly ShownFixture[] = [
    ...fixtures.filter(({ name }) => !names.has(name)),
    ...broken.map(({ name, diagnostic, last }) => {
      const empty = { input: {}, variables: contract ? completeVariables(contract, {}) : {} };
      return { ...empty, ...last, name, problem: problemOf(diagnostic) };
    }),
  ];
  return fixturesOf({ fixtures: names.size === 0 ? all : all.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
}

/** `long.json, line 3: Expected a value, found }.` */
function problemOf({ at, message }: Diagnostic): string {
  const line = at?.line === undefined ? "" : `, line ${at.line}`;
  return `${path.basename(at?.file ?? "")}${line}: ${message}`;
}
