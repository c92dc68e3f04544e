import { useCommands } from "../palette/commands.js";
import { changeView } from "../state/view-store.js";
import { applyPreset, copyCall, copyJson } from "./actions.js";
import type { Editing } from "./editing.js";
import { presets } from "./presets/presets.js";

/** What the panel can do, for the palette and the keys. */
export function usePanelCommands(editing: Editing, focus: () => void): void {
  const show = (right: "form" | "json"): void => {
    changeView({ right });
    // Not before it is there.
    requestAnimationFrame(focus);
  };
  const group = "Variables";
  useCommands([
    {
      id: "variables-form",
      title: "Edit variables in a form",
      group,
      keys: "e",
      run: () => show("form"),
    },
    {
      id: "variables-json",
      title: "Edit variables as JSON",
      group,
      keys: "shift+e",
      run: () => show("json"),
    },
    ...(editing.isEdited ? [{ id: "variables-reset", title: "Reset variables", group, run: editing.reset }] : []),
    ...presets.map((preset) => ({
      id: `preset-${preset.name}`,
      title: `Preset: ${preset.name}`,
      group,
      run: () => void applyPreset(editing, preset),
    })),
    { id: "variables-copy", title: "Copy variables as JSON", group, run: () => copyJson(editing) },
    { id: "variables-copy-call", title: "Copy as mailer.send(…)", group, run: () => copyCall(editing) },
  ]);
}
