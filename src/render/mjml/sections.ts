import { fillSections, halfSection, isInverted, roleOf, tagsIn, type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { chainNote } from "../source/mapped-text.js";
import { isInlined, type MjmlElement, positionOf } from "./document.js";

/**
 * Checks that every section begins and ends in the same place: among an element's children, in its content, or in one
 * attribute value. MJML adds its own markup around each of these, which would cut other sections in two.
 */
export function checkSections(element: MjmlElement, tags: TagTable, findings: Findings): void {
  const check = (numbers: readonly number[], place: string) => {
    const half = halfSection(numbers, tags);
    const tag = half === undefined ? undefined : tags[half];
    if (!tag) return;
    const [here, other] = roleOf(tag) === "opens" ? ["begins", "ends"] : ["ends", "begins"];
    const message = `The section ${tag.text} ${here} ${place} and ${other} elsewhere${chainNote(element.source.chain)}.`;
    findings.error("mjml-section", message, tag.at ?? positionOf(element), "Begin and end it in the same element.");
  };

  const { tagName } = element;
  for (const { name, value } of element.attributes) check(tagsIn(value), `in the attribute ${name} of <${tagName}>`);
  if (tagName === "mj-social-element") checkEmpty(element, tags, findings);
  if (element.content && tagName !== "mj-raw") check(tagsIn(element.content.text), `in <${tagName}>`);
  check(element.children.flatMap(betweenElements), `among the elements of <${tagName}>`);
  if (isInlined(element)) checkInlined(element, tags, findings);
  if (tagName === "mj-head") checkHead(element, tags, findings);
  for (const child of element.children) checkSections(child, tags, findings);
}

/** MJML writes no text cell for a social element without text. */
function checkEmpty({ content, source }: MjmlElement, tags: TagTable, findings: Findings): void {
  const numbers = tagsIn(content?.text ?? "");
  const section = tags[numbers.find((number) => roleOf(tags[number]) === "opens") ?? -1];
  const isEmpty = [true, false].some((isShown) => {
    const filling = new Map(numbers.map((number) => [number, { variable: "a", isShown }]));
    return fillTokens(content?.text ?? "", filling, tags).trim() === "";
  });
  if (!section || !isEmpty) return;
  const message = `MJML omits the text cell of an empty <mj-social-element>, but keeps this one even if ${section.text} is not shown${chainNote(source.chain)}.`;
  const at = section.at ?? source.mapped.positionAt(content?.start ?? 0);
  findings.warning("mjml-section", message, at, "Put the section around the whole <mj-social-element>.");
}

/** Inlining takes rules apart, so a section around a rule would have no effect. */
function checkInlined({ content, source }: MjmlElement, tags: TagTable, findings: Findings): void {
  const section = tagsIn(content?.text ?? "").find((number) => roleOf(tags[number]) === "opens");
  const tag = tags[section ?? -1];
  if (!tag) return;
  const message = `A section (${tag.text}) can't be in inlined CSS${chainNote(source.chain)}.`;
  const at = tag.at ?? source.mapped.positionAt(content?.start ?? 0);
  findings.error("mjml-section", message, at, "Put it into the HTML, around the elements that look different.");
}

/** MJML groups the head's elements by kind, so a section around an element would have no effect. */
function checkHead(head: MjmlElement, tags: TagTable, findings: Findings): void {
  const open: number[] = [];
  for (const child of head.children) {
    const around = tags[open.at(-1) ?? -1];
    if (around && child.tagName !== "mj-raw") {
      const message = `In <mj-head>, a section (${around.text}) can't be around <${child.tagName}>, which MJML moves${chainNote(head.source.chain)}.`;
      findings.error("mjml-section", message, around.at ?? positionOf(child), "Put the section into the element.");
    }
    for (const number of betweenElements(child)) {
      const role = roleOf(tags[number]);
      if (role === "opens") open.push(number);
      else if (role === "closes") open.pop();
    }
  }
}

/** The tags between an element's children, bare or in mj-raw. */
function betweenElements(child: MjmlElement): number[] {
  return child.tagName === "mj-raw" && child.content ? tagsIn(child.content.text) : [];
}

/** How to fill the tags of a value: what its variables print, and whether its sections are shown. */
export interface Filling {
  readonly variable: string;
  readonly isShown: boolean;
}

/** A string with some of its tags filled. */
export function fillTokens(text: string, fillings: ReadonlyMap<number, Filling>, tags: TagTable): string {
  const shown = fillSections(text, tags, (opening) => {
    const filling = fillings.get(opening);
    return filling && Number(filling.isShown !== isInverted(tags[opening]));
  });
  return shown.replace(TOKEN, (written, number: string) => fillings.get(Number(number))?.variable ?? written);
}
