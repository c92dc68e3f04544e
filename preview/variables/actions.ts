import { copyText } from "../ui/copy.js";
import { announce, notify } from "../ui/notice.js";
import { currentView } from "../state/view-store.js";
import type { Variables } from "../../src/mustache/variables.js";
import { callOf } from "./call.js";
import type { Editing } from "./editing.js";
import { printJson } from "./json/read.js";
import type { Preset } from "./presets/presets.js";
import { isSame } from "../state/json.js";

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
