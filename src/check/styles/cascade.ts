import type { SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import { type StyleRule, textOfSheet } from "../document/stylesheet.js";
import {
  byProperty,
  type Candidate,
  type Candidates,
  inlineOf,
  presentation,
  together,
  unknown,
} from "./candidates.js";
import { longhandsOf, UNKNOWN } from "./longhands.js";
import { applies, type View } from "./media.js";
import { ANY, compileSelector, type CompiledSelector, keysOf } from "./selectors.js";

/** What an element is given for a property, by a style attribute, a rule or an attribute of its own. */
export interface Given {
  /** In lower case, but for names of fonts. Where it holds `{{`, it is not known. */
  readonly value: string;
  /** The at-rules around it, outermost first. */
  readonly within: readonly string[];
  at(): SourcePosition;
}

/** What an element inherits, and the element that has it from no other. */
export interface Inherited {
  readonly given: Given;
  readonly by: EmailElement;
}

/** What stylesheets say, in any document that has them. */
interface Sheets {
  /** By the keys of their selectors. */
  readonly rules: ReadonlyMap<string, readonly SheetRule[]>;
  /** What they say anything of. */
  readonly properties: ReadonlySet<string>;
}

interface SheetRule {
  readonly selector: CompiledSelector;
  readonly given: Candidates;
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
  readonly #sheets: Sheets;
  readonly #known = new Map<EmailElement, Candidates>();

  constructor(document: EmailDocument) {
    this.document = document;
    this.#sheets = sheetsOf(document);
  }

  /** The winning value of a property for an element, in a view; inheritance is left to the caller. */
  given(element: EmailElement, property: string, view: View): Given | undefined {
    return this.#shown(this.#best(element, property, view), element);
  }

  /** The same, where it does not matter what made it so. */
  value(element: EmailElement, property: string, view: View): string | undefined {
    return this.#best(element, property, view)?.value;
  }

  /** The value that an inherited property has from an element or from the nearest around it that has one of its own. */
  inherited(element: EmailElement, property: string, view: View): Inherited | undefined {
    for (const by of [element, ...element.ancestors]) {
      const given = this.given(by, property, view);
      if (given && given.value !== "inherit") return { given, by };
    }
    return undefined;
  }

  /** What a rule gives an element in a view, and does not count, as something else is more important. */
  lost(element: EmailElement, property: string, view: View): Given | undefined {
    const winner = this.#best(element, property, view);
    const lost = this.#candidates(element)
      .get(property)
      ?.findLast((each) => each !== winner && each.within.length > 0 && applies(each.within, view));
    return this.#shown(lost, element);
  }

  #best(element: EmailElement, property: string, view: View): Candidate | undefined {
    let best = presentation(element, property);
    for (const candidate of this.#candidates(element).get(property) ?? NONE) {
      if (best && compare(candidate.rank, best.rank) < 0) continue;
      if (candidate.within.length === 0 || applies(candidate.within, view)) best = candidate;
    }
    return best;
  }

  /** What rules and its style attribute say of an element, whatever is asked. */
  #candidates(element: EmailElement): Candidates {
    let known = this.#known.get(element);
    if (!known) this.#known.set(element, (known = this.#collect(element)));
    return known;
  }

  #collect(element: EmailElement): Candidates {
    const { rules, properties } = this.#sheets;
    let all: Candidates | undefined;
    for (const key of keysOf(element))
      for (const { selector, given } of rules.get(key) ?? [])
        if (selector.matches(element)) all = all ? together(all, given) : given;
    // Any rule may be one for an element whose classes are filled in.
    if (["class", "id"].some((name) => element.attribute(name)?.includes("{{"))) {
      const any = byProperty(Array.from(properties, (property) => [property, unknown(1)]));
      all = all ? together(all, any) : any;
    }
    const inline = inlineOf(element);
    return all ? together(all, inline) : inline;
  }

  #shown(candidate: Candidate | undefined, element: EmailElement): Given | undefined {
    if (!candidate) return undefined;
    const { value, within } = candidate;
    return { value, within, at: () => candidate.at(element, this.document) };
  }
}

/** Templates of a project have most stylesheets in common. */
const knownSheets = new Map<string, Sheets>();
const MOST_SHEETS = 100;

function sheetsOf(document: EmailDocument): Sheets {
  const written = document.named("style").map((element) => [element.attribute("media"), textOfSheet(element)]);
  const key = JSON.stringify(written);
  let sheets = knownSheets.get(key);
  if (!sheets) {
    if (knownSheets.size >= MOST_SHEETS) knownSheets.clear();
    knownSheets.set(key, (sheets = readSheets(document.styleRules)));
  }
  return sheets;
}

function readSheets(styleRules: readonly StyleRule[]): Sheets {
  const rules = new Map<string, SheetRule[]>();
  const properties = new Set<string>();
  let count = 0;
  for (const [place, { selectors, declarations, within, element }] of styleRules.entries()) {
    const given = declarations.flatMap((declaration, index) =>
      longhandsOf(declaration).map(([property, value]) => ({
        property,
        value,
        index,
        important: declaration.important,
      })),
    );
    for (const { property } of given) properties.add(property);
    const media = element.attribute("media");
    const around = media === undefined ? within : [`@media ${media}`, ...within];
    for (const written of given.length === 0 ? [] : selectors) {
      const selector = written.includes("{{")
        ? { matches: () => true, specificity: 0, key: ANY }
        : compileSelector(written);
      if (!selector) continue;
      const candidates = given.map(({ property, value, index, important }) => {
        const candidate: Candidate = {
          value: written.includes("{{") ? UNKNOWN : value,
          within: around,
          rank: [Number(important), 1, selector.specificity, (count += 1)],
          // Asked of the document at hand: what is remembered keeps none.
          at: (one, document) => document.styleRules[place]?.declarations[index]?.at() ?? one.at(),
        };
        return [property, candidate] as const;
      });
      const others = rules.get(selector.key) ?? [];
      rules.set(selector.key, others);
      others.push({ selector, given: byProperty(candidates) });
    }
  }
  return { rules, properties };
}

const cascades = new WeakMap<EmailDocument, Cascade>();

/** One for each document: several rules ask. */
export function cascadeOf(document: EmailDocument): Cascade {
  const cascade = cascades.get(document) ?? new Cascade(document);
  cascades.set(document, cascade);
  return cascade;
}

const NONE: readonly Candidate[] = [];

function compare(a: Candidate["rank"], b: Candidate["rank"]): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];
}
