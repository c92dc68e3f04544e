import { completeVariables } from "../../mustache/complete.js";
import { renderMustache } from "../../mustache/fill.js";
import { scan } from "../../mustache/scan.js";
import { shapeOf } from "../../mustache/scope.js";
import { Shape } from "../../mustache/shape.js";
import type { Tag } from "../../mustache/tokens.js";
import type { CheckedTemplate } from "../rule.js";
import { isObject } from "./example.js";
import { structureOf } from "./filled-html.js";
import { skeleton } from "./skeleton.js";
import { TruthTable } from "./truth-table.js";

/** Characters that mean something to html and to Mustache, other scripts, line breaks, and a word without an end. */
export const HOSTILE = `"'<i id=x>&amp;--></style></script>{{x}}{{{y}}}{{/z}} \n😀 שלום ${"w".repeat(200)}`;

/** Whether a text, in the place of all or of the one at a path, gives the html other elements or attributes. */
export function isBrokenBy(checked: CheckedTemplate, text: string, path?: string): boolean {
  const html = escapedSkeleton(checked);
  if (!html.includes("{{")) return false;
  const { contract } = checked.compiled;
  const plain = completeVariables(contract, TruthTable.of(checked).full);
  // Replaced after the conditions were added: it is to be seen what the text does, and not what is shown for it.
  const replaced = withText(plain, shapeOf(contract), text, path);
  if (!isObject(replaced)) return false;
  const [before, after] = [plain, replaced].map((each) => structureOf(renderMustache(html, each, { escape: "html" })));
  return before !== after;
}

const known = new WeakMap<CheckedTemplate, string>();

/** The body's skeleton, with every tag escaped. */
function escapedSkeleton(checked: CheckedTemplate): string {
  const { html, tags } = checked.document.input;
  const written = known.get(checked) ?? skeleton(html, tags.map(escaped));
  known.set(checked, written);
  return written;
}

function escaped(tag: Tag): Tag {
  if (!/^\{\{\s*[{&]/.test(tag.text)) return tag;
  const [scanned] = scan(tag.text).tags;
  return { ...tag, text: `{{${scanned?.name ?? ""}}}` };
}

/**
 * Variables with another text in the place of each one that the application chooses freely.
 *
 * @param only The path of the one text that is replaced; without it, all are.
 */
function withText(value: unknown, shape: Shape, text: string, only?: string, path = ""): unknown {
  if (typeof value === "string") return (only ?? path) === path && isFree(shape) ? text : value;
  if (Array.isArray(value)) return value.map((item) => withText(item, shape.items(), text, only, `${path}[]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = path === "" ? name : `${path}.${name}`;
      return [name, withText(member, shape.member(name) ?? Shape.UNKNOWN, text, only, inner)];
    }),
  );
}

function isFree({ kinds }: Shape): boolean {
  return kinds.every((kind) => !kind.enum && kind.const === undefined && kind.format === undefined);
}
