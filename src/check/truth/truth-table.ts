import { completeVariables } from "../../mustache/complete.js";
import { renderMustache } from "../../mustache/fill.js";
import { scan } from "../../mustache/scan.js";
import type { Tag } from "../../mustache/tokens.js";
import type { Variables } from "../../mustache/variables.js";
import type { CheckedTemplate } from "../rule.js";
import { shapeOf } from "../../mustache/scope.js";
import { fullExample, isObject } from "./example.js";
import { imbalanceOf, structureOf } from "./filled-html.js";
import { type Row, rowOf, ROWS, withText } from "./rows.js";
import { skeleton } from "./skeleton.js";
import { smallest } from "./smallest.js";
import { hasWholeSections } from "./whole-sections.js";

/** Something that a row shows. */
export interface Shown {
  /** What is wrong with the filled html. */
  readonly problem: string;
  readonly row: Row;
  readonly variables: Variables;
}

/**
 * A template filled with every section shown absent, empty, once and three times, and with texts that break what is not
 * escaped. Only what decides how the html is built is filled.
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
  readonly #rows = new Map<Row, Variables>();
  #escaped: string | undefined;

  private constructor(checked: CheckedTemplate) {
    this.#checked = checked;
    this.full = fullExample(checked.compiled);
  }

  row(row: Row): Variables {
    const known = this.#rows.get(row) ?? rowOf(row, this.full, this.#checked.compiled.contract);
    this.#rows.set(row, known);
    return known;
  }

  /** The first row in which the html is not balanced. */
  unbalancedRow(): Shown | undefined {
    if (hasWholeSections(this.#html)) return undefined;
    const seen = new Set<string>();
    for (const row of ROWS) {
      const variables = this.row(row);
      const html = this.#fill(this.#complete(variables));
      const problem = seen.has(html) ? undefined : imbalanceOf(html);
      if (problem !== undefined) return { problem, row, variables };
      seen.add(html);
    }
    return undefined;
  }

  /** Why the html is not balanced with these variables; what is printed unescaped is escaped. */
  imbalance(variables: Variables): string | undefined {
    return imbalanceOf(this.#fill(this.#complete(variables)));
  }

  /** The smallest variables with which the html is still not balanced. */
  smallestUnbalanced(variables: Variables): Variables {
    return smallest(variables, (others) => this.imbalance(others) !== undefined);
  }

  /** Whether a text, in the place of all or of the one at a path, gives the html other elements or attributes. */
  isBrokenBy(text: string, path?: string): boolean {
    if (!this.#html.includes("{{")) return false;
    const plain = this.#complete(this.row("once"));
    // Replaced after the conditions were added: it is to be seen what the text does, and not what is shown for it.
    const replaced = withText(plain, shapeOf(this.#checked.compiled.contract), text, path);
    return isObject(replaced) && structureOf(this.#fill(plain)) !== structureOf(this.#fill(replaced));
  }

  /** Why the html is not balanced with a fixture, in which what is printed unescaped is as it is. */
  imbalanceOfRaw(variables: Variables): string | undefined {
    const { html, tags } = this.#checked.document.input;
    return imbalanceOf(renderMustache(skeleton(html, tags), variables, { escape: "html" }));
  }

  /** The body's skeleton, with every tag escaped. */
  get #html(): string {
    const { html, tags } = this.#checked.document.input;
    this.#escaped ??= skeleton(html, tags.map(escaped));
    return this.#escaped;
  }

  #complete(variables: Variables): Variables {
    return completeVariables(this.#checked.compiled.contract, variables);
  }

  #fill(variables: Variables): string {
    return renderMustache(this.#html, variables, { escape: "html" });
  }
}

function escaped(tag: Tag): Tag {
  if (!/^\{\{\s*[{&]/.test(tag.text)) return tag;
  const [scanned] = scan(tag.text).tags;
  return { ...tag, text: `{{${scanned?.name ?? ""}}}` };
}
