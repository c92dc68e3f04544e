import { save } from "../code/save.js";
import { useRecipient } from "../envelope/use-recipient.js";
import { useCommands } from "../palette/commands.js";
import { useFocusedPane } from "../stage/focused-pane.js";
import { useOfProject } from "../state/data.js";
import { useFilled } from "../state/filled.js";
import { useView } from "../state/view-store.js";
import { emlOf } from "./eml.js";

/** Gives the email of the focused pane as a file, as it would be sent. A component of its own: it follows every edit. */
export function ExportCommands() {
  const { template = "", panes } = useView();
  const { message } = useFilled(panes[useFocusedPane(panes.length)]);
  const from = useOfProject((project) => project.from);
  const to = useRecipient() ?? "";
  const group = "Page";
  useCommands(
    message
      ? [
          {
            id: "export-eml",
            title: "Export as .eml",
            group,
            run: () => save(emlOf({ ...message, from, to, date: new Date() }), `${template}.eml`),
          },
          {
            id: "export-html",
            title: "Export as .html",
            group,
            run: () => save(message.html, `${template}.html`),
          },
        ]
      : [],
  );
  return null;
}
