import { TOKEN, type TagTable } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import type { Attribute } from "../../markup/scan.js";
import { tokensIn } from "../sections.js";
import { chainNote } from "../source/chain.js";
import { samplesOf } from "./attribute-samples.js";
import { unusedDefaultTags } from "./defaults.js";
import { elementsOf } from "./document.js";
import { type MjmlElement, positionOf } from "./element.js";
import { stableIds } from "./ids.js";
import type { MjmlLibrary } from "./library.js";
import { toJson } from "./to-json.js";

interface CheckOptions {
  readonly library: MjmlLibrary;
  readonly tags: TagTable;
  readonly findings: Findings;
}

interface AttributeUse {
  readonly element: MjmlElement;
  readonly attribute: Attribute;
}

/**
 * Finds the attributes whose value MJML computes or decides with, rather than printing it: with a tag in one of them the
 * html is not what it would be with the value that the tag is filled with.
 */
export async function checkAttributeTags(document: MjmlElement, html: string, options: CheckOptions): Promise<void> {
  const { tags, findings } = options;
  const uses = attributeUses(document);
  const fine = new Set([...unusedDefaultTags(document), ...tokensIn(html).map(({ tag }) => tag)]);
  const isLost = ({ attribute }: AttributeUse) => tokensIn(attribute.value).some(({ tag }) => !fine.has(tag));
  const lost = uses.filter(isLost);
  const printed = uses.filter((use) => !lost.includes(use));
  for (const { element, attribute } of [...lost, ...(await computedUses(printed, document, html, options))]) {
    const [written] = tokensIn(attribute.value).map(({ tag }) => tags[tag]?.text);
    const message = `MJML needs the value of ${attribute.name} of <${element.tagName}> when the template is compiled, so it can't be ${written}${chainNote(element.source.chain)}.`;
    const hint = "Write a fixed value; or use css-class and let <mj-style> or the html around it vary.";
    findings.error("mjml-attribute-tag", message, positionOf(element, attribute.start), hint);
  }
}

/** Renders with values instead of the tags, first in all attributes at once. */
async function computedUses(
  uses: readonly AttributeUse[],
  document: MjmlElement,
  html: string,
  { library }: CheckOptions,
): Promise<AttributeUse[]> {
  const sampled = uses
    .map((use) => ({ use, samples: samplesOf(use.element, use.attribute.name, library) }))
    .filter(({ samples }) => samples.length > 0);
  const isPrinted = async (values: ReadonlyMap<Attribute, string>) => {
    const withValues = toJson(document, (attribute) => values.get(attribute) ?? attribute.value);
    let expected = html;
    for (const [{ value }, sample] of values) expected = expected.replaceAll(value, sample);
    return stableIds(await library.render(withValues)) === expected;
  };
  const computed = new Set<AttributeUse>();
  const rounds = Math.max(0, ...sampled.map(({ samples }) => samples.length));
  for (let round = 0; round < rounds; round += 1) {
    const values = sampled.map(({ use, samples }) => [use, samples[round % samples.length] ?? ""] as const);
    if (await isPrinted(new Map(values.map(([{ attribute }, sample]) => [attribute, sample])))) continue;
    for (const [use, sample] of values) {
      if (!(await isPrinted(new Map([[use.attribute, sample]])))) computed.add(use);
    }
  }
  return [...computed];
}

/** The attributes with a tag in their value. */
function attributeUses(document: MjmlElement): AttributeUse[] {
  return elementsOf(document).flatMap((element) =>
    element.attributes.filter(({ value }) => value.search(TOKEN) >= 0).map((attribute) => ({ element, attribute })),
  );
}
