import type { SourceFile } from "../../template/template.js";
import type { Findings } from "../findings.js";
import { tokensIn } from "../sections.js";
import { attributeValue, type MjmlElement, positionOf } from "./element.js";

/** The one `<mjml>` of a body, with one mj-body and at most one mj-head: MJML drops what is there twice. */
export function takeDocument(
  roots: readonly MjmlElement[],
  body: SourceFile,
  findings: Findings,
): MjmlElement | undefined {
  const document = roots.find(({ tagName }) => tagName === "mjml");
  if (!document) {
    const at = { file: body.file, line: 1, column: 1 };
    // A file that could not be read has been reported already.
    const hint = "Where it is a part of others, put it into a folder whose name begins with _, such as _shared.";
    if (!findings.hasErrors) findings.error("mjml-structure", "There is no <mjml> in this file.", at, hint);
    return undefined;
  }
  for (const root of roots) {
    if (root === document) continue;
    const what = root.isBareTag ? "A Mustache tag" : `<${root.tagName}>`;
    findings.error("mjml-structure", `${what} stands outside of <mjml>, where MJML drops it.`, positionOf(root));
  }
  const bodies = document.children.filter(({ tagName }) => tagName === "mj-body");
  const heads = document.children.filter(({ tagName }) => tagName === "mj-head");
  if (bodies.length === 0) findings.error("mjml-structure", "<mjml> has no <mj-body>.", positionOf(document));
  for (const second of [...bodies.slice(1), ...heads.slice(1)]) {
    const message = `MJML drops a second <${second.tagName}>.`;
    findings.error("mjml-structure", message, positionOf(second), "Put its elements into the first one.");
  }
  for (const child of document.children) {
    if (child.tagName !== "mj-raw" || child.isBareTag || attributeValue(child, "position") === "file-start") continue;
    const hint = 'Put it into <mj-head> or <mj-body>, or give it position="file-start".';
    findings.error("mjml-lost-text", "MJML drops html that stands directly in <mjml>.", positionOf(child), hint);
  }
  return document;
}

/** An element and all below it, in the order of the source. */
export function elementsOf(element: MjmlElement, found: MjmlElement[] = []): MjmlElement[] {
  found.push(element);
  for (const child of element.children) elementsOf(child, found);
  return found;
}

/** Tokenised; where there are several titles, MJML takes the last. */
export function titleOf(document: MjmlElement): string | undefined {
  return elementsOf(document).findLast(({ tagName }) => tagName === "mj-title")?.content?.text;
}

/** The numbers of the tags in an element and below it, in the order of the source. */
export function tagsOf(document: MjmlElement): number[] {
  return elementsOf(document).flatMap(({ attributes, content }) =>
    [...attributes.flatMap(({ name, value }) => [name, value]), content?.text ?? ""].flatMap((text) =>
      tokensIn(text).map(({ tag }) => tag),
    ),
  );
}

/** The numbers of the tags in CSS that MJML inlines: where nothing matches a rule, they are rightly printed nowhere. */
export function inlinedTags(document: MjmlElement): number[] {
  return elementsOf(document)
    .filter(isInlined)
    .flatMap(({ content }) => tokensIn(content?.text ?? "").map(({ tag }) => tag));
}

export function isInlined(element: MjmlElement): boolean {
  return element.tagName === "mj-style" && attributeValue(element, "inline") === "inline";
}
