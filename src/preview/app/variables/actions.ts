import { copyText } from "../ui/copy.js";
import { announce, notify } from "../ui/notice.js";
import type { Variables } from "../../../mustache/variables.js";
import { callOf } from "./call.js";
import type { Editing } from "./editing.js";
import { printJson } from "./json/read.js";
import type { Preset } from "./presets/presets.js";
import { isSame } from "./same.js";

/** What the last preset was applied to, so that another one begins there, too. */
let applied: { readonly key: string; readonly before: Variables; readonly after: Variables } | undefined;

export function applyPreset({ key, schema, input, draft, change }: Editing, preset: Preset): void {
  if (draft?.problem) return notify("Mend the JSON first: a preset begins with the variables that it has.", "error");
  const before = applied?.key === key && isSame(applied.after, input) ? applied.before : input;
  const after = preset.apply(schema, before);
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
