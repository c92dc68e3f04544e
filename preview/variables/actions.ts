import { copyText } from "../ui/copy.js";
import { announce, notify } from "../ui/notice.js";
import { currentView } from "../state/view-store.js";
import type { Variables } from "../../src/mustache/variables.js";
import type { Editing } from "./editing.js";
import { printJson } from "./json/read.js";
import type { Preset } from "./presets/presets.js";
import { isSame } from "./same.js";

/** The last preset's input and output, so that the next preset starts from the same input. */
let applied: { readonly key: string; readonly before: Variables; readonly after: Variables } | undefined;

export async function applyPreset(
  { key, schema, input, draft, change, check, obstacle: readOnly }: Editing,
  preset: Preset,
): Promise<void> {
  if (readOnly !== undefined) return notify(readOnly);
  if (draft?.problem) return notify("Fix the JSON first: presets start from the current variables.", "error");
  const obstacle = preset.obstacle(schema);
  if (obstacle !== undefined) return notify(`${preset.name}: ${obstacle.toLowerCase()}.`);
  const { template, fixture, edited } = currentView();
  const before = applied?.key === key && isSame(applied.after, input) ? applied.before : input;
  const after = await preset.apply(schema, before, check);
  const now = currentView();
  // The user selected or typed something else meanwhile.
  if (now.template !== template || now.fixture !== fixture || now.edited !== edited) return;
  if (isSame(after, before)) return notify(`${preset.name}: the schema doesn't allow this for any value.`);
  applied = { key, before, after };
  change(after);
  announce(`${preset.name}: applied, not saved`);
}

export function copyJson({ input }: Editing): void {
  void copyText(printJson(input), "JSON");
}

export function copyCall({ detail, input }: Editing): void {
  void copyText(callOf(detail.name, input), "Call");
}

/**
 * The call that sends a template with these variables.
 *
 * @example
 * callOf("receipt", { total: 4 }); // 'await mailer.send("receipt", { total: 4 }, { to: "ada@example.com" });'
 */
export function callOf(template: string, variables: Variables): string {
  return `await mailer.send(${JSON.stringify(template)}, ${literal(variables, "")}, { to: "ada@example.com" });`;
}

const LONGEST_LINE = 80;

/** A value as a TypeScript literal. */
function literal(value: unknown, around: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${around}  `;
  const entries = (within: string): string[] =>
    Array.isArray(value)
      ? value.map((item) => literal(item, within))
      : Object.entries(value).map(([name, member]) => `${nameOf(name)}: ${literal(member, within)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const short = entries(inner);
  if (short.length === 0) return open.trim() + close.trim();
  const line = open + short.join(", ") + close;
  if (!line.includes("\n") && around.length + line.length <= LONGEST_LINE) return line;
  return `${open.trim()}\n${short.map((entry) => `${inner}${entry},`).join("\n")}\n${around}${close.trim()}`;
}

function nameOf(name: string): string {
  // In any other notation, this name would set the object's prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
