import { nearest } from "../nearest.js";
import type { CompiledTemplate, FilledFixture } from "../template/template.js";
import { UsageError } from "./arguments.js";

/** The fixture that a flag names; without one `default`, else the first; a template without any is filled with nothing. */
export function chooseFixture({ name: template, fixtures }: CompiledTemplate, name: string | undefined): FilledFixture {
  if (name === undefined)
    return (
      fixtures.find((fixture) => fixture.name === "default") ??
      fixtures[0] ?? { name: "none", input: {}, variables: {} }
    );
  const found = fixtures.find((fixture) => fixture.name === name);
  if (found !== undefined) return found;
  const names = fixtures.map((fixture) => fixture.name);
  const near = nearest(name, names);
  throw new UsageError(`The template "${template}" has no fixture "${name}".`, {
    hint:
      near !== undefined
        ? `Did you mean ${near}?`
        : names.length > 0
          ? `Fixtures: ${names.join(", ")}`
          : `Add one: fixtures/${name}.json in the template's folder.`,
  });
}
