import { nearest } from "../text/nearest.js";
import type { CompiledTemplate, FilledFixture } from "../project/template.js";
import { UsageError } from "./arguments.js";

/** The fixture of this name. Default: `default`, else the first; an empty one if the template has no fixtures. */
export function chooseFixture({ name: template, fixtures }: CompiledTemplate, name: string | undefined): FilledFixture {
  if (name === undefined)
    return (
      fixtures.find((fixture) => fixture.name === "default") ??
      fixtures[0] ?? { name: "none", input: {}, variables: {} }
    );
  const named = fixtures.find((fixture) => fixture.name === name);
  if (named !== undefined) return named;
  const names = fixtures.map((fixture) => fixture.name);
  const near = nearest(name, names);
  throw new UsageError(`The template "${template}" has no fixture "${name}".`, {
    hint:
      near !== undefined
        ? `Did you mean ${near}?`
        : names.length > 0
          ? `Fixtures: ${names.join(", ")}`
          : `Create fixtures/${name}.json in the template's folder.`,
  });
}
