import type { Message } from "../../src/mustache/fill.js";
import { download } from "../ui/copy.js";
import { useRecipient } from "../envelope/envelope.js";
import { inGroup, useCommands } from "../palette/commands.js";
import { useFocusedPane } from "../stage/panes.js";
import { useOfProject } from "../state/data.js";
import { useFilled } from "../variables/filled.js";
import { useView } from "../state/view-store.js";
import { emlOf, ownImages, withImages } from "./eml.js";

/**
 * Commands that download the focused pane's email as it would be sent. A separate component, because it renders with
 * every edit.
 */
export function ExportCommands() {
  const { template = "", panes } = useView();
  const { message } = useFilled(panes[useFocusedPane(panes.length)]);
  const from = useOfProject((project) => project.from);
  const to = useRecipient() ?? "";
  const exportEml = async ({ html, ...rest }: Message) => {
    const images = await ownImages(html);
    download(emlOf({ ...rest, html, from, to, images, date: new Date() }), `${template}.eml`);
  };
  const exportHtml = async ({ html }: Message) => {
    const images = await ownImages(html);
    const whole = withImages(html, images, ({ type, base64 }) => `data:${type};base64,${base64}`);
    download(whole, `${template}.html`);
  };
  useCommands(
    inGroup("Page", [
      message && { id: "export-eml", title: "Export as .eml", run: () => void exportEml(message) },
      message && { id: "export-html", title: "Export as .html", run: () => void exportHtml(message) },
    ]),
  );
  return null;
}
