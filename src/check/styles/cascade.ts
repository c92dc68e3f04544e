import type { SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import type { StyleRule } from "../document/stylesheet.js";
import { byProperty, type Candidate, type Candidates, inlineOf, presentation, unknown } from "./candidates.js";
import { longhandsOf, UNKNOWN } from "./longhands.js";
import { applies, type View } from "./media.js";
import { ANY, compileSelector, type CompiledSelector, keysOf } from "./selectors.js";

/** What an element is given for a property, by a style attribute, a rule or an attribute of its own. */
export interface Given {
  /** In lower case. Where it holds `{{`, it is not known. */
  readonly value: string;
  /** The at-rules around it, outermost first. */
  readonly within: readonly string[];
  at(): SourcePosition;
}

interface SheetRule {
  readonly selector: CompiledSelector;
  readonly given: Candidates;
}

/** What is known of an element, whatever is asked. */
interface ElementStyle {
  readonly rules: readonly SheetRule[];
  readonly inline: Candidates;
  /** Whether any rule may be one for it, as its classes are filled in. */
  readonly isUncertain: boolean;
}

/**
 * What the style attributes, the style elements and the attributes of a document give its elements: the part of CSS's
 * cascade that emails use.
 *
 * @example
 * const cascade = cascadeOf(document);
 * cascade.given(element, "color", LIGHT)?.value; // "#333333"
 */
export class Cascade {
  readonly document: EmailDocument;
  readonly #rules = new Map<string, SheetRule[]>();
  readonly #styles = new Map<EmailElement, ElementStyle>();
  #count = 0;
  /** What rules of stylesheets say anything of. */
  readonly #inSheets = new Set<string>();

  constructor(document: EmailDocument) {
    this.document = document;
    for (const rule of document.styleRules) this.#add(rule);
  }

  /** The winning value of a property for an element, in a view; inheritance is left to the caller. */
  given(element: EmailElement, property: string, view: View): Given | undefined {
    return shown(this.#best(element, property, view), element);
  }

  /** What a rule gives an element in a view, and does not count, as something else is more important. */
  lost(element: EmailElement, property: string, view: View): Given | undefined {
    const winner = this.#best(element, property, view);
    const lost = this.#candidates(element, property).findLast(
      (each) => each !== winner && each.within.length > 0 && applies(each.within, view),
    );
    return shown(lost, element);
  }

  #best(element: EmailElement, property: string, view: View): Candidate | undefined {
    let best: Candidate | undefined;
    for (const candidate of this.#candidates(element, property)) {
      if (best && compare(candidate.rank, best.rank) < 0) continue;
      if (candidate.within.length === 0 || applies(candidate.within, view)) best = candidate;
    }
    return best;
  }

  #candidates(element: EmailElement, property: string): readonly Candidate[] {
    const { rules, inline, isUncertain } = this.#styleOf(element);
    const own = inline.get(property) ?? NONE;
    const presented = presentation(element, property);
    // Of most properties, nothing but the style attribute says anything.
    if (!presented && !this.#inSheets.has(property)) return own;
    const found = presented ? [presented] : [];
    for (const { given } of rules) found.push(...(given.get(property) ?? NONE));
    if (isUncertain && this.#inSheets.has(property)) found.push(unknown(1));
    return found.length === 0 ? own : [...found, ...own];
  }

  #styleOf(element: EmailElement): ElementStyle {
    const known = this.#styles.get(element);
    if (known) return known;
    const rules: SheetRule[] = [];
    for (const key of keysOf(element))
      for (const rule of this.#rules.get(key) ?? []) if (rule.selector.matches(element)) rules.push(rule);
    const isUncertain = ["class", "id"].some((name) => element.attribute(name)?.includes("{{"));
    const style = { rules, inline: inlineOf(element), isUncertain };
    this.#styles.set(element, style);
    return style;
  }

  #add({ selectors, declarations, within, element }: StyleRule): void {
    const given = declarations.flatMap((declaration) =>
      longhandsOf(declaration).map(([property, value]) => ({ declaration, property, value })),
    );
    if (given.length === 0) return;
    const media = element.attribute("media");
    const around = media === undefined ? within : [`@media ${media}`, ...within];
    for (const { property } of given) this.#inSheets.add(property);
    for (const written of selectors) {
      const selector = written.includes("{{")
        ? { matches: () => true, specificity: 0, key: ANY }
        : compileSelector(written);
      if (!selector) continue;
      const candidates = byProperty(
        given.map(({ declaration, property, value }) => [
          property,
          {
            value: written.includes("{{") ? UNKNOWN : value,
            within: around,
            rank: [Number(declaration.important), 1, selector.specificity, (this.#count += 1)],
            at: () => declaration.at(),
          },
        ]),
      );
      const rules = this.#rules.get(selector.key) ?? [];
      this.#rules.set(selector.key, rules);
      rules.push({ selector, given: candidates });
    }
  }
}

const cascades = new WeakMap<EmailDocument, Cascade>();

/** One for each document: several rules ask. */
export function cascadeOf(document: EmailDocument): Cascade {
  const cascade = cascades.get(document) ?? new Cascade(document);
  cascades.set(document, cascade);
  return cascade;
}

const NONE: readonly Candidate[] = [];

function shown(candidate: Candidate | undefined, element: EmailElement): Given | undefined {
  return candidate && { value: candidate.value, within: candidate.within, at: () => candidate.at(element) };
}

function compare(a: Candidate["rank"], b: Candidate["rank"]): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
}
