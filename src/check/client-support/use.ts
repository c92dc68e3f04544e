import type { SourcePosition } from "../../diagnostic.js";
import type { EmailElement } from "../document/nodes.js";
import type { Feature } from "./data.js";

/** One use of a feature in compiled HTML. */
export interface Use {
  readonly feature: Feature;
  /** The part of the HTML or CSS that uses it. */
  readonly by:
    | { readonly kind: "element" }
    | { readonly kind: "attribute"; readonly name: string; readonly value: string }
    | { readonly kind: "declaration"; readonly property: string; readonly value: string }
    | { readonly kind: "selector"; readonly selector: string }
    | { readonly kind: "at-rule"; readonly name: string; readonly prelude: string }
    | { readonly kind: "nesting"; readonly selector: string; readonly at: SourcePosition | undefined }
    | { readonly kind: "comment"; readonly text: string; readonly at: SourcePosition | undefined };
  /** The element with it; for a stylesheet, the `style` element. */
  readonly element: EmailElement;
  /** The features that a client needs to reach it: those of the at-rules and the selector around a declaration. */
  readonly requires?: readonly Feature[];
  /** Whether clients without support use a fallback: an earlier, simpler value, or the colour behind an image. */
  readonly hasFallback?: boolean;
}

/** A use in source form: `display: flex`, `a:hover`, `@media (hover)`, `<video>`, `loading="lazy"`. */
export function wording({ by, element }: Pick<Use, "by" | "element">): string {
  if (by.kind === "element") return `<${element.name}>`;
  if (by.kind === "comment") return by.text;
  if (by.kind === "attribute") return `${by.name}="${by.value}"`;
  if (by.kind === "declaration") return `${by.property}: ${by.value}`;
  return by.kind === "at-rule" ? `@${by.name} ${by.prelude}`.trim() : by.selector;
}

/** Whether a use is a declaration in a style attribute, so that the element that it affects is known. */
export function isInline({ by, element }: Pick<Use, "by" | "element">): boolean {
  return by.kind === "declaration" && element.name !== "style";
}
