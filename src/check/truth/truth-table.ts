import { completeVariables } from "../../mustache/complete.js";
import { renderMustache } from "../../mustache/fill.js";
import { type MustacheNode, parse } from "../../mustache/parse.js";
import { Scope } from "../../mustache/scope.js";
import { restore, type TagTable, token } from "../../mustache/tokens.js";
import type { Variables } from "../../mustache/variables.js";
import type { CheckedTemplate } from "../rule.js";
import {
  combinations,
  isOptionalString,
  type KnownValues,
  type LeftOut,
  nested,
  type Subject,
  subjectsIn,
  valuesFor,
  withValue,
} from "./choices.js";
import { fullExample } from "./example.js";

/** A part of a template: a value of an attribute, what a link holds, the subject. */
export interface Part {
  /** Its Mustache. */
  readonly text: string;
  /** The sections around it, outermost first, each as `#name` or `^name`. */
  readonly around?: readonly string[];
  /** Whether strings that it prints and that may be absent are left out, too. Default false. */
  readonly lacksOptional?: boolean;
}

/** What a part comes to with some variables. */
export interface Outcome {
  /** For each time that it is shown; what tags print is the tags. */
  readonly texts: readonly string[];
  /** The fewest variables that it takes. */
  readonly variables: Variables;
}

/**
 * What happens when: what a part of a template comes to with each combination of the values that its sections ask for, as far as the
 * variables' contract takes them.
 *
 * @example
 * TruthTable.of(checked).find({ text: "{{#a}}x{{/a}}{{#b}}{{y}}{{/b}}" }, ([text]) => text === "");
 * // { texts: [""], variables: { a: false, b: false } }
 */
export class TruthTable {
  static readonly #known = new WeakMap<CheckedTemplate, TruthTable>();

  static of(checked: CheckedTemplate): TruthTable {
    const table = this.#known.get(checked) ?? new TruthTable(checked);
    this.#known.set(checked, table);
    return table;
  }

  /** Variables in which everything is there. */
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

  /** The first outcome that fits; undefined where there is none, or the part is no whole Mustache. */
  find(part: Part, fits: (texts: readonly string[]) => boolean): Outcome | undefined {
    const cases = this.#casesOf(part);
    if (!cases) return undefined;
    const { choices, fill } = cases;
    const seen = new Map<string, boolean>();
    const fit = (chosen: readonly number[]): boolean => {
      const texts = fill(chosen);
      const key = JSON.stringify(texts);
      const answer = seen.get(key) ?? fits(texts);
      seen.set(key, answer);
      return answer;
    };
    for (const chosen of combinations(choices.map(({ values }) => values.length))) {
      if (!fit(chosen)) continue;
      const least = choices.reduce((all, { values }, index) => {
        const simpler = [0, values.length - 1].map((value) => all.with(index, value));
        return simpler.find(fit) ?? all;
      }, chosen);
      const matters = choices.filter(({ values }, index) => values.some((_, other) => !fit(least.with(index, other))));
      const variables = matters.reduce((all, choice) => choice.show(all, least[choices.indexOf(choice)] ?? 0), {});
      return { texts: fill(least), variables };
    }
    return undefined;
  }

  /** The first outcome in which a part is blank, though it has sections that say something. */
  blank(part: Part, isBlank = (text: string): boolean => text.trim() === ""): Outcome | undefined {
    if (part.lacksOptional !== true && !HAS_SECTION.test(part.text)) return undefined;
    const isSaid = parse(part.text).nodes.some((node) => {
      if (node.kind === "variable") return part.lacksOptional !== true;
      return node.kind === "text" && !isBlank(node.text);
    });
    return isSaid ? undefined : this.find(part, (texts) => texts.some(isBlank));
  }

  /** Every text that a part comes to. */
  texts(part: Part): readonly string[] {
    const { choices = [], fill } = (HAS_SECTION.test(part.text) && this.#casesOf(part)) || {};
    const all = [...combinations(choices.map(({ values }) => values.length))];
    return fill ? [...new Set(all.flatMap(fill))] : [part.text];
  }

  #casesOf({ text, around = [], lacksOptional = false }: Part) {
    const opening = around.map((section) => `{{${section}}}`).join("");
    const closing = around.map((section) => `{{/${section.slice(1)}}}`).toReversed();
    const { nodes, problems } = parse(opening + MARK + text + closing.join(""));
    if (problems.length > 0) return undefined;
    const { contract } = this.#checked.compiled;
    const tags: TagTable = [];
    const isLeftOut = (scope: Scope, name: string) => lacksOptional && isOptionalString(scope.find(name));
    const written = write(nodes, Scope.of(contract), { tags, isLeftOut });
    const choices = this.#choicesFor(subjectsIn(nodes, contract, isLeftOut));
    const fill = (chosen: readonly number[]): string[] => {
      const variables = choices.reduce((all, { set }, index) => set(all, chosen[index] ?? 0), this.full);
      const [, ...shown] = renderMustache(written, completeVariables(contract, variables), { escape: "none" }).split(
        MARK,
      );
      return shown.map((each) => restore(each, tags, "html"));
    };
    return { choices, fill };
  }

  /** What is derived goes together, as far as the fixtures show: who derives several truths has them depend on each other. */
  #choicesFor(subjects: readonly Subject[]): Choice[] {
    const { contract, fixtures } = this.#checked.compiled;
    const isDerived = ({ path }: { path: string }) =>
      Object.hasOwn(contract.derived?.properties ?? {}, /^[^.[]+/.exec(path)?.[0] ?? "");
    const derived = subjects.filter(isDerived);
    const alone = derived.length > 1 ? subjects.filter((subject) => !isDerived(subject)) : subjects;
    const choices = alone.map((subject): Choice => {
      const { path } = subject;
      const values = valuesFor(subject, this.#values);
      return {
        values,
        set: (variables, index) => withValue(variables, path, values[index]),
        show: (variables, index) => nested(variables, path, values[index]),
      };
    });
    if (derived.length < 2) return choices;
    const names = new Set(derived.map(({ path }) => /^[^.[]+/.exec(path)?.[0] ?? ""));
    const values = fixtures.map(({ variables }) =>
      Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name))),
    );
    const set = (variables: Variables, index: number) => ({ ...variables, ...values[index] });
    return [...choices, { values, set, show: set }];
  }
}

interface Choice {
  readonly values: readonly unknown[];
  readonly set: (variables: Variables, index: number) => Variables;
  /** Adds it to what a message shows. */
  readonly show: (variables: Variables, index: number) => Variables;
}

/** In a text, whether something in it is shown only with some variables. */
const HAS_SECTION = /\{\{\s*[#^]/;

/** Where a part begins. */
const MARK = "\uE002";

interface Writing {
  readonly tags: TagTable;
  readonly isLeftOut: LeftOut;
}

/** A text whose tags that print are tokens; those that may be left out are shown where they print something. */
function write(nodes: readonly MustacheNode[], scope: Scope, { tags, isLeftOut }: Writing): string {
  return nodes
    .map((node): string => {
      if (node.kind === "text") return node.text;
      if (node.kind === "variable") {
        const printed = token(tags.push({ text: node.escaped ? `{{${node.name}}}` : `{{{${node.name}}}}` }) - 1);
        return isLeftOut(scope, node.name) ? `{{#${node.name}}}${printed}{{/${node.name}}}` : printed;
      }
      if (node.kind !== "section") return "";
      const inner = write(node.children, node.inverted ? scope : scope.within(node.name), { tags, isLeftOut });
      return `{{${node.inverted ? "^" : "#"}${node.name}}}${inner}{{/${node.name}}}`;
    })
    .join("");
}
