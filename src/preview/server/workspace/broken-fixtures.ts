import path from "node:path";
import type { Diagnostic } from "../../../diagnostic.js";
import { completeVariables } from "../../../mustache/complete.js";
import type { Variables } from "../../../mustache/variables.js";
import type { CompileResult, FilledFixture, Fixture, Template } from "../../../project/template.js";
import { type Entry, fixturesOf, type ShownBuild } from "./entry.js";
import { madeUpFixture } from "./made-up-fixture.js";

/** A fixture that cannot be read, that the schema rejects, or that nobody has written yet. */
export interface BrokenFixture {
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The file's content, if it can be read. */
  readonly input?: Variables;
  /** The last valid version. Undefined if it never was valid. */
  readonly last?: FilledFixture;
  readonly isMadeUp?: true;
}

/**
 * The fixtures whose files cannot be read.
 *
 * @param before The template's previous entry.
 */
export function unreadableFixtures(diagnostics: readonly Diagnostic[], before: Entry | undefined): BrokenFixture[] {
  return diagnostics.flatMap((diagnostic): BrokenFixture[] => {
    const { at, severity } = diagnostic;
    if (severity !== "error" || at === undefined) return [];
    return [brokenFixture({ name: path.basename(at.file, ".json"), diagnostics: [diagnostic] }, before)];
  });
}

/**
 * The template without broken fixtures, if they are the only reason why it does not compile.
 *
 * @returns Undefined if there are other reasons.
 */
export function withoutMisfits(
  { compiled, diagnostics, template }: CompileResult,
  before: Entry,
): { readonly template: Template; readonly broken: readonly BrokenFixture[] } | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const isOf = ({ source }: Fixture, { at }: Diagnostic): boolean => at?.file === source.file;
  const { fixtures } = template;
  if (compiled || errors.length === 0 || !errors.every((error) => fixtures.some((each) => isOf(each, error))))
    return undefined;
  const broken = fixtures.flatMap((fixture): BrokenFixture[] => {
    const { name, variables: input } = fixture;
    const fixtureErrors = errors.filter((error) => isOf(fixture, error));
    return fixtureErrors.length === 0 ? [] : [brokenFixture({ name, diagnostics: fixtureErrors, input }, before)];
  });
  const names = new Set(broken.map(({ name }) => name));
  return { template: { ...template, fixtures: fixtures.filter(({ name }) => !names.has(name)) }, broken };
}

function brokenFixture(fixture: Omit<BrokenFixture, "last">, before: Entry | undefined): BrokenFixture {
  const known = [...(before?.shown?.result.compiled.fixtures ?? []), ...lastOf(before?.brokenFixtures)];
  const last = known.find(({ name }) => name === fixture.name);
  return { ...fixture, ...(last && { last }) };
}

function lastOf(broken: readonly BrokenFixture[] = []): FilledFixture[] {
  return broken.flatMap(({ last }) => last ?? []);
}

/** A fixture as the page shows it. */
export interface ShownFixture extends FilledFixture {
  /** Why the file's content is not used, or that the template needs this fixture. */
  readonly problem?: string;
  /** Set if nobody has written it yet. */
  readonly isMadeUp?: true;
}

export function shownFixtures({
  shown,
  brokenFixtures: broken = [],
}: {
  readonly shown?: Pick<ShownBuild, "result">;
  readonly brokenFixtures?: Entry["brokenFixtures"];
}): readonly ShownFixture[] {
  const { fixtures = [], contract } = shown?.result.compiled ?? {};
  const names = new Set(broken.map(({ name }) => name));
  const all: readonly ShownFixture[] = [
    ...fixtures.filter(({ name }) => !names.has(name)),
    ...broken.map(({ name, diagnostics, last, isMadeUp, input = last?.input ?? {} }) => {
      // As with a template that does not compile, the last email stays.
      const variables = last?.variables ?? (contract ? completeVariables(contract, input) : {});
      return { name, input, variables, problem: problemOf(diagnostics), ...(isMadeUp && { isMadeUp }) };
    }),
  ];
  const madeUp = all.length === 0 && shown ? madeUpFixture(shown.result) : undefined;
  if (madeUp) return [madeUp];
  return fixturesOf({ fixtures: names.size === 0 ? all : all.toSorted((a, b) => (a.name < b.name ? -1 : 1)) });
}

/** `long.json, line 3: Expected a value, found "}".` */
function problemOf([first, ...others]: readonly Diagnostic[]): string {
  const { at, message = "" } = first ?? {};
  const line = at?.line === undefined ? "" : `, line ${at.line}`;
  const more = others.length === 0 ? "" : ` And ${others.length} more.`;
  return `${path.basename(at?.file ?? "")}${line}: ${message}${more}`;
}
