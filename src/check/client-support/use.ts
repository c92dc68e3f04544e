import type { SourcePosition } from "../../diagnostic.js";
import type { EmailElement } from "../document/nodes.js";
import type { Feature } from "./data.js";

/** A feature in use at one place of a compiled html. */
export interface Use {
  readonly feature: Feature;
  /** What uses it. */
  readonly by:
    | { readonly kind: "element" }
    | { readonly kind: "attribute"; readonly name: string; readonly value: string }
    | { readonly kind: "declaration"; readonly property: string; readonly value: string }
    | { readonly kind: "selector"; readonly selector: string }
    | { readonly kind: "at-rule"; readonly name: string; readonly prelude: string }
    | { readonly kind: "nesting"; readonly selector: string; readonly at: SourcePosition | undefined }
    | { readonly kind: "comment"; readonly text: string; readonly at: SourcePosition | undefined };
  /** The element that has it; of what a stylesheet says, the `style` element. */
  readonly element: EmailElement;
  /** What a client must know to come to it at all: the at-rules and the selector around a declaration. */
  readonly requires?: readonly Feature[];
  /** Whether something is said that holds where this doesn't: a plainer value before it, a colour behind a picture. */
  readonly hasFallback?: boolean;
}

/** What it is, as one would write it: `display:flex`, `a:hover`, `@media (hover)`, `<video>`, `loading="lazy"`. */
export function wording({ by, element }: Pick<Use, "by" | "element">): string {
  if (by.kind === "element") return `<${element.name}>`;
  if (by.kind === "comment") return by.text;
  if (by.kind === "attribute") return `${by.name}="${by.value}"`;
  if (by.kind === "declaration") return `${by.property}: ${by.value}`;
  return by.kind === "at-rule" ? `@${by.name} ${by.prelude}`.trim() : by.selector;
}

/** Whether a declaration stands in a style attribute, so that it is known which element it is about. */
export function isInline({ by, element }: Pick<Use, "by" | "element">): boolean {
  return by.kind === "declaration" && element.name !== "style";
}
