import { hasSection, scan } from "../../mustache/scan.js";
import { memoizeByObject } from "../../cache/memoize.js";
import { completeVariables } from "../../mustache/complete.js";
import { evaluator } from "../../mustache/expression/evaluate.js";
import { renderMustache } from "../../mustache/fill.js";
import { parse } from "../../mustache/parse.js";
import { restore, token, type TagTable } from "../../mustache/tokens.js";
import type { Variables } from "../../mustache/variables.js";
import type { CheckedTemplate } from "../rule.js";
import {
  combinations,
  isInUnion,
  subjectsIn,
  valuesFor,
  withValue,
  fullExample,
  type KnownValues,
  type Subject,
} from "./choices.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement, EmailNode } from "../document/nodes.js";

/** A part of a template: an attribute's value, the content of a link, the subject. */
export interface Part {
  /** Its Mustache. */
  readonly text: string;
  /** The sections around it, outermost first, each as `#name` or `^name`. */
  readonly around?: readonly string[];
}

/** What parts show with some variables. */
export interface VisibleParts {
  /** For each part, its text for each time it is shown. Tags that print stay as they are. */
  readonly texts: Texts;
  /** The variables that cause it, without those that make no difference. */
  readonly variables: Variables;
}

type Texts = readonly (readonly string[])[];

/**
 * What parts of a template show with each combination of the values that their sections test, as far as the variables'
 * contract allows them.
 *
 * @example
 * TruthTable.of(checked).blank({ text: "{{#a}}x{{/a}}{{#b}}{{y}}{{/b}}" })?.variables; // { a: false, b: false }
 */
export class TruthTable {
  static readonly of = memoizeByObject((checked: CheckedTemplate) => new TruthTable(checked));

  /** Variables in which nothing is absent or empty. */
  readonly full: Variables;
  readonly #checked: CheckedTemplate;
  readonly #values: KnownValues;

  private constructor(checked: CheckedTemplate) {
    const { compiled, template } = checked;
    this.#checked = checked;
    this.full = fullExample(compiled);
    const examples = compiled.fixtures.map(({ variables }) => variables);
    this.#values = { full: this.full, examples, isInferred: template.variablesFile === undefined };
  }

  /** The first outcome that fits; undefined if there is none, or if a part is not valid Mustache by itself. */
  find(parts: readonly Part[], fits: (texts: Texts) => boolean): VisibleParts | undefined {
    const cases = this.#casesOf(parts);
    if (!cases) return undefined;
    const { choices, all, fill } = cases;
    const known = new Map<string, boolean>();
    const fit = (chosen: readonly number[]): boolean => {
      const texts = fill(chosen);
      const key = JSON.stringify(texts);
      const answer = known.get(key) ?? fits(texts);
      known.set(key, answer);
      return answer;
    };
    const first = all.find(fit);
    if (!first) return undefined;
    const least = choices.reduce((chosen, { values }, index) => {
      return [0, values.length - 1].map((value) => chosen.with(index, value)).find(fit) ?? chosen;
    }, first);
    const variables = choices.reduce<Variables>((chosen, { values, show }, index) => {
      const matters = values.some((_, other) => !fit(least.with(index, other)));
      return matters ? show(chosen, least[index] ?? 0) : chosen;
    }, {});
    return { texts: fill(least), variables };
  }

  /** The first outcome in which a part with sections is blank. */
  blank(part: Part, isBlank = (text: string): boolean => text.trim() === ""): VisibleParts | undefined {
    if (!hasSection(part.text)) return undefined;
    const isAlwaysShown = parse(part.text).nodes.some(
      (node) => node.kind === "variable" || (node.kind === "text" && !isBlank(node.text)),
    );
    return isAlwaysShown ? undefined : this.find([part], ([texts = []]) => texts.some(isBlank));
  }

  /** Every text that a part can show. */
  texts(part: Part): readonly string[] {
    const cases = hasSection(part.text) ? this.#casesOf([part]) : undefined;
    if (!cases) return [part.text];
    return [...new Set(cases.all.flatMap((chosen) => cases.fill(chosen).flat()))];
  }

  #casesOf(parts: readonly Part[]) {
    const { contract, context } = this.#checked.compiled;
    const whole = parts.map(({ text, around = [] }) => {
      const closing = around.map((section) => `{{/${section.slice(1)}}}`).toReversed();
      return [...around.map((section) => `{{${section}}}`), MARK, text, ...closing].join("");
    });
    const { nodes, problems } = parse(whole.join(BETWEEN));
    if (problems.length > 0) return undefined;
    const tags: TagTable = [];
    const written = whole.join(BETWEEN).replace(PRINTS, (text) => token(tags.push({ text }) - 1));
    const choices = this.#choicesFor(subjectsIn(nodes, contract));
    const fill = (chosen: readonly number[]): string[][] => {
      const variables = choices.reduce((all, { set }, index) => set(all, chosen[index] ?? 0), this.full);
      const filled = renderMustache(written, completeVariables(contract, variables, {}, { evaluator, ...context }), {
        escape: "none",
      });
      return filled.split(BETWEEN).map((part) =>
        part
          .split(MARK)
          .slice(1)
          .map((text) => restore(text, tags, "html")),
      );
    };
    return { choices, all: combinations(choices.map(({ values }) => values.length)), fill };
  }

  #choicesFor(subjects: readonly Subject[]): Choice[] {
    const { contract, fixtures } = this.#checked.compiled;
    const roots = new Set(subjects.map(({ path }) => /^[^.[]+/.exec(path)?.[0] ?? ""));
    const derived = contract.derived?.properties ?? {};
    // Derived variables and members of unions depend on other variables: only fixtures have valid combinations of them.
    const areDependent =
      [...roots].some((name) => Object.hasOwn(derived, name)) || subjects.some((each) => isInUnion(each, contract));
    if (subjects.length > 1 && areDependent) {
      const values = fixtures.map(({ variables }) =>
        Object.fromEntries(Object.entries(variables).filter(([name]) => roots.has(name))),
      );
      const set = (variables: Variables, index: number) => ({ ...variables, ...values[index] });
      return [{ values, set, show: set }];
    }
    return subjects.map((subject): Choice => {
      const { path } = subject;
      const values = valuesFor(subject, this.#values);
      return {
        values,
        set: (variables, index) => withValue(variables, path, values[index]),
        show: (variables, index) => withValue(variables, path, forMessage(values[index]), true),
      };
    });
  }
}

interface Choice {
  readonly values: readonly unknown[];
  readonly set: (variables: Variables, index: number) => Variables;
  /** Adds the value to the variables shown in a message. */
  readonly show: (variables: Variables, index: number) => Variables;
}

/** Put before a part that is shown, and between parts. */
const [MARK, BETWEEN] = ["\uE002", "\uE003"];

/** A tag that prints a value. */
const PRINTS = /\{\{(?:\{[^{}]*\}|(?!\s*[#^/!])[^{}]*)\}\}/g;

/** For a list, a message shows only the number of items. */
function forMessage(value: unknown): unknown {
  return Array.isArray(value) ? value.map(() => ({})) : value;
}

/** The sections around an element, outermost first, each as `#name` or `^name`. */
export type Branch = readonly string[];

/** The sections around an element. */
export function branchOf(element: EmailElement): Branch {
  return branchesIn(element.document).get(element) ?? [];
}

const branchesIn = memoizeByObject((document: EmailDocument): ReadonlyMap<EmailElement, Branch> => {
  const read = new Map<EmailElement, Branch>();
  const open: string[] = [];
  const visit = (node: EmailNode): void => {
    if (node.kind === "comment") return;
    if (node.kind === "text") {
      for (const { kind, name } of scan(node.text).tags) {
        if (kind === "close") open.pop();
        else if (kind === "section" || kind === "inverted") open.push((kind === "section" ? "#" : "^") + name);
      }
      return;
    }
    read.set(node, [...open]);
    node.children.forEach(visit);
  };
  visit(document.root);
  return read;
});

/** Whether elements are never shown together: for example, in a section and in its inverse. */
export function areExclusive(checked: CheckedTemplate, ...both: readonly [EmailElement, EmailElement]): boolean {
  const parts = both.map((element) => ({ text: "", around: branchOf(element) }));
  if (parts.some(({ around }) => around.length === 0)) return false;
  return !TruthTable.of(checked).find(parts, (texts) => texts.every((times) => times.length > 0));
}

/** Whether an element is shown whenever another one is. */
export function isImpliedBy(element: EmailElement, other: EmailElement): boolean {
  return branchOf(element).every((section) => branchOf(other).includes(section));
}

/** Maximum number of characters in a message: of one string, and of all variables. */
const LONGEST_TEXT = 24;
const LONGEST = 160;

/** Variables as JSON for a message, with long strings cut. */
export function formatVariables(variables: Variables): string {
  const words = JSON.stringify(variables, (_, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value,
  );
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}
