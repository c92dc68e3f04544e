import type { SourceFile } from "../../project/template.js";
import type { Findings } from "../findings.js";
import { tokensIn } from "../../mustache/tokens.js";
import { attributeValue, type MjmlElement, positionOf } from "./element.js";

/** The `<mjml>` element of a body, with one mj-body and at most one mj-head: MJML drops further ones. */
export function takeDocument(
  roots: readonly MjmlElement[],
  body: SourceFile,
  findings: Findings,
): MjmlElement | undefined {
  const document = roots.find(({ tagName }) => tagName === "mjml");
  if (!document) {
    const at = { file: body.file, line: 1, column: 1 };
    // A file that can't be read has been reported already.
    const hint =
      "If other templates include this file, put it into a folder whose name begins with _, such as _shared.";
    if (!findings.hasErrors) findings.error("mjml-structure", "This file has no <mjml> element.", at, hint);
    return undefined;
  }
  for (const root of roots) {
    if (root === document) continue;
    const what = root.isBareTag ? "A Mustache tag" : `<${root.tagName}>`;
    findings.error("mjml-structure", `${what} is outside <mjml>, where MJML drops it.`, positionOf(root));
  }
  const bodies = document.children.filter(({ tagName }) => tagName === "mj-body");
  const heads = document.children.filter(({ tagName }) => tagName === "mj-head");
  if (bodies.length === 0) findings.error("mjml-structure", "<mjml> has no <mj-body>.", positionOf(document));
  for (const second of [...bodies.slice(1), ...heads.slice(1)]) {
    const message = `There is a second <${second.tagName}>, which MJML drops.`;
    findings.error("mjml-structure", message, positionOf(second), "Put its elements into the first one.");
  }
  for (const child of document.children) {
    if (child.tagName !== "mj-raw" || child.isBareTag || attributeValue(child, "position") === "file-start") continue;
    const hint = 'Put it into <mj-head> or <mj-body>, or give it position="file-start".';
    findings.error("mjml-lost-text", "MJML drops HTML directly inside <mjml>.", positionOf(child), hint);
  }
  return document;
}

/** An element and all its descendants, in source order. */
export function elementsOf(element: MjmlElement, elements: MjmlElement[] = []): MjmlElement[] {
  elements.push(element);
  for (const child of element.children) elementsOf(child, elements);
  return elements;
}

/** Tokenised; of several titles, MJML uses the last. */
export function titleOf(document: MjmlElement): string | undefined {
  return elementsOf(document).findLast(({ tagName }) => tagName === "mj-title")?.content?.text;
}

/** The numbers of the tags in an element and its descendants, in source order. */
export function tagsOf(document: MjmlElement): number[] {
  return elementsOf(document).flatMap(({ attributes, content }) =>
    [...attributes.flatMap(({ name, value }) => [name, value]), content?.text ?? ""].flatMap((text) =>
      tokensIn(text).map(({ tag }) => tag),
    ),
  );
}

/** The numbers of the tags in CSS that MJML inlines: if no element matches their rule, they need not be printed. */
export function inlinedTags(document: MjmlElement): number[] {
  return elementsOf(document)
    .filter(isInlined)
    .flatMap(({ content }) => tokensIn(content?.text ?? "").map(({ tag }) => tag));
}

export function isInlined(element: MjmlElement): boolean {
  return element.tagName === "mj-style" && attributeValue(element, "inline") === "inline";
}
