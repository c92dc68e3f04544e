import { TOKEN, type TagTable } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import type { Attribute } from "../../markup.js";
import { tokensIn } from "../sections.js";
import { chainNote } from "../source/chain.js";
import { unusedDefaultTags } from "./defaults.js";
import { type MjmlElement, positionOf } from "./element.js";
import type { MjmlLibrary } from "./library.js";
import { toJson } from "./to-json.js";

interface AttributeUse {
  readonly element: MjmlElement;
  readonly attribute: Attribute;
}

/**
 * Finds the attributes whose value MJML computes or decides with, rather than printing it: a tag in one of them came
 * out as NaN, or not at all.
 */
export async function checkAttributeTags(
  document: MjmlElement,
  html: string,
  { library, tags, findings }: { library: MjmlLibrary; tags: TagTable; findings: Findings },
): Promise<void> {
  const uses = attributeUses(document).filter(({ attribute }) => attribute.value.search(TOKEN) >= 0);
  const fine = new Set([...unusedDefaultTags(document), ...tokensIn(html).map(({ tag }) => tag)]);
  const isLost = ({ attribute }: AttributeUse) => tokensIn(attribute.value).some(({ tag }) => !fine.has(tag));
  const refused = new Set(uses.filter(isLost));
  if (countNaN(html) > 0) for (const use of await usesThatGiveNaN(uses, document, library)) refused.add(use);
  for (const { element, attribute } of refused) {
    const [written] = tokensIn(attribute.value).map(({ tag }) => tags[tag]?.text);
    const message = `MJML needs the value of ${attribute.name} of <${element.tagName}> when the template is compiled, so it can't be ${written}${chainNote(element.source.chain)}.`;
    const hint = "Write a fixed value; or use css-class and let <mj-style> or the html around it vary.";
    findings.error("mjml-attribute-tag", message, positionOf(element, attribute.start), hint);
  }
}

/** Renders with each of the tags alone, the others replaced by a number. */
async function usesThatGiveNaN(
  uses: readonly AttributeUse[],
  document: MjmlElement,
  library: MjmlLibrary,
): Promise<AttributeUse[]> {
  const guilty: AttributeUse[] = [];
  const none = countNaN(await library.render(toJson(document, (_, __, value) => value.replace(TOKEN, "1"))));
  for (const { element, attribute } of uses) {
    const alone = toJson(document, (other, name, value) =>
      other === element && name === attribute.name ? value : value.replace(TOKEN, "1"),
    );
    if (countNaN(await library.render(alone)) > none) guilty.push({ element, attribute });
  }
  return guilty;
}

function countNaN(html: string): number {
  return html.split("NaN").length - 1;
}

function attributeUses(element: MjmlElement): AttributeUse[] {
  const own = element.attributes.map((attribute) => ({ element, attribute }));
  return [...own, ...element.children.flatMap(attributeUses)];
}
