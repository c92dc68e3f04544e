import type { Diagnostic } from "../../diagnostic.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { mayBeEmpty } from "../scopes.js";
import { enclosingSections, nameOf, scopeNames, tokensIn } from "../sections.js";
import { chainNote } from "../source/chain.js";
import type { Tokenised } from "../tokenised.js";
import { elementsOf } from "./document.js";
import { type MjmlElement, positionOf } from "./element.js";

/** Warns of variables that may be empty where MJML would then build an element otherwise than it is built here. */
export function checkUnplaced(
  unplaced: ReadonlySet<number>,
  document: MjmlElement,
  { text, tags }: Tokenised,
  contract: VariablesContract,
): Diagnostic[] {
  if (unplaced.size === 0) return [];
  const places = enclosingSections(
    tokensIn(text).map(({ tag }) => tag),
    tags,
  );
  const isConcerned = (tag: number) =>
    places.some(
      ({ tag: other, around }) => other === tag && mayBeEmpty(contract, scopeNames(around, tags), nameOf(tags[tag])),
    );
  return elementsOf(document).flatMap((element) =>
    element.attributes.flatMap(({ name, value, start }): Diagnostic[] => {
      const tag = tokensIn(value).find((token) => unplaced.has(token.tag))?.tag;
      if (tag === undefined || !isConcerned(tag)) return [];
      const variable = nameOf(tags[tag]);
      return [
        {
          rule: "mjml-attribute-tag",
          severity: "warning",
          message: `Without ${name}, MJML builds <${element.tagName}> in another way; this one stays as it is where ${tags[tag]?.text} is empty${chainNote(element.source.chain)}.`,
          at: positionOf(element, start),
          hint: `Write the element twice, in {{#${variable} is-truthy}} … {{/${variable}}} and without ${name} in {{^${variable} is-truthy}} … {{/${variable}}}; or let the schema refuse an empty text.`,
        },
      ];
    }),
  );
}
