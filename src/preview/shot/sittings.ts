import { completeVariables } from "../../mustache/complete.js";
import { renderMustache } from "../../mustache/fill.js";
import type { TemplateDetail } from "../contract.js";
import type { Sitter } from "./camera.js";

/** Which fixtures to show, in which widths and colour schemes. */
export interface Choice {
  /** Names of fixtures. Empty: all. */
  readonly fixtures: readonly string[];
  readonly widths: readonly number[];
  readonly schemes: readonly Sitter["scheme"][];
}

/** A screenshot to take. */
export interface Sitting extends Sitter {
  /** `NAME/FIXTURE-WIDTH-SCHEME.png` */
  readonly file: string;
}

/** Every fixture in every width and scheme. Empty if the template did not compile. */
export function sittingsOf(
  { name, compiled, fixtures }: TemplateDetail,
  { widths, schemes, ...choice }: Choice,
): Sitting[] {
  if (compiled === undefined) return [];
  const examples =
    fixtures.length === 0 ? [{ name: "default", variables: completeVariables(compiled.contract, {}) }] : fixtures;
  const chosen = examples.filter((fixture) => choice.fixtures.length === 0 || choice.fixtures.includes(fixture.name));
  return chosen.flatMap((fixture) => {
    const html = renderMustache(compiled.html, fixture.variables, { escape: "html" });
    return widths.flatMap((width) =>
      schemes.map((scheme) => ({ file: `${name}/${fixture.name}-${width}-${scheme}.png`, html, width, scheme })),
    );
  });
}
