import type { Diagnostic } from "../../diagnostic.js";
import { mayBeEmpty } from "../../mustache/scope.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { enclosingSections, nameOf, scopeNames, type Tokenised, tokensIn } from "../../mustache/tokens.js";
import { chainNote } from "../source/chain.js";
import type { VariablesModule } from "../../project/variables-module.js";
import { elementsOf } from "./document.js";
import { type MjmlElement, positionOf } from "./element.js";

/** What is known about a template's variables before its tags are considered. */
export function knownContract(module: VariablesModule | undefined): VariablesContract {
  const { schema = {}, output = schema, hasDerive = false, fixtures = [] } = module ?? {};
  const derived = fixtures.flatMap((fixture) => Object.keys(fixture.derived ?? {}));
  return {
    input: hasDerive && fixtures.length === 0 ? {} : output,
    derived: { properties: Object.fromEntries(derived.map((name) => [name, {}])) },
    conditions: [],
  };
}

/** Whether a tag, given by its number, may print nothing. Inside a section over the same variable, it can't. */
export function emptiableTags({ text, tags }: Tokenised, contract: VariablesContract): (tag: number) => boolean {
  const places = enclosingSections(
    tokensIn(text).map(({ tag }) => tag),
    tags,
  );
  return (tag) => {
    const name = nameOf(tags[tag]);
    return places.some(({ tag: other, around }) => {
      const sections = other === tag ? scopeNames(around, tags) : [name];
      return !sections.includes(name) && mayBeEmpty(contract, sections, name);
    });
  };
}

/** Warns of variables that may be empty where MJML would then build the element differently, and the compiled one can't. */
export function checkUnplaced(
  unplaced: ReadonlySet<number>,
  document: MjmlElement,
  { text, tags }: Tokenised,
  contract: VariablesContract,
): Diagnostic[] {
  if (unplaced.size === 0) return [];
  const mayPrintNothing = emptiableTags({ text, tags }, contract);
  return elementsOf(document).flatMap((element) =>
    element.attributes.flatMap(({ name, value, start }): Diagnostic[] => {
      const tag = tokensIn(value).find((token) => unplaced.has(token.tag))?.tag;
      if (tag === undefined || !mayPrintNothing(tag)) return [];
      const variable = nameOf(tags[tag]);
      return [
        {
          rule: "mjml-attribute-tag",
          severity: "warning",
          message: `MJML builds <${element.tagName}> differently without ${name}, but this one stays the same if ${tags[tag]?.text} is empty${chainNote(element.source.chain)}.`,
          at: positionOf(element, start),
          hint: `Write the element twice, in {{#${variable} is-truthy}} … {{/${variable}}}, and without ${name} in {{^${variable} is-truthy}} … {{/${variable}}}. Or give the variable a format in the schema, such as z.url().`,
        },
      ];
    }),
  );
}
