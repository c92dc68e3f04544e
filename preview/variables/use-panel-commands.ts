import { useCommands } from "../palette/commands.js";
import { changeView } from "../state/view-store.js";
import { notify } from "../ui/notice.js";
import { copyCall, copyJson } from "./actions.js";
import type { Editing } from "./editing.js";

const nothing = (what: string) => () => notify(`There is nothing to ${what}`);

/** The panel's commands, for the palette and shortcuts. */
export function usePanelCommands(editing: Editing, focus: () => void): void {
  const show = (right: "form" | "json"): void => {
    changeView({ right });
    // Waits until it is rendered.
    requestAnimationFrame(focus);
  };
  const group = "Variables";
  // Invalid JSON has its own undo in the editor.
  const isWhole = editing.draft?.problem === undefined;
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
    {
      id: "variables-undo",
      title: "Undo the last edit",
      group,
      keys: "mod+z",
      run: () => ((isWhole && editing.undo) || nothing("undo"))(),
    },
    {
      id: "variables-redo",
      title: "Redo the last edit",
      group,
      keys: "mod+shift+z",
      run: () => ((isWhole && editing.redo) || nothing("redo"))(),
    },
    {
      id: "variables-reset",
      title: "Reset the variables",
      group,
      keys: "shift+u",
      run: () => (editing.isEdited || !isWhole ? editing.reset : nothing("reset"))(),
    },
    { id: "variables-copy", title: "Copy variables as JSON", group, run: () => copyJson(editing) },
    { id: "variables-copy-call", title: "Copy as mailer.send(…)", group, run: () => copyCall(editing) },
  ]);
}
