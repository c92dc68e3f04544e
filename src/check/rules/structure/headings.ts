import { cascadeOf } from "../../styles/cascade.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import { LIGHT } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";

/** The headings that are seen, in their order. */
export function headingsOf(document: EmailDocument): EmailElement[] {
  const cascade = cascadeOf(document);
  return document
    .named("h1", "h2", "h3", "h4", "h5", "h6")
    .filter((heading) => heading.attribute("role") === undefined && !isHidden(cascade, heading, LIGHT));
}

export function levelOf(heading: EmailElement): number {
  return Number(heading.name.slice(1));
}
