import { inGroup, useCommands } from "../palette/commands.js";
import { openEditor } from "../panels/show.js";
import { useDataStore, useOfProject } from "../state/data.js";
import { currentView, useView } from "../state/view-store.js";
import { notify } from "../ui/notice.js";

/** Commands for a template's files. */
export const useTemplateCommands = (open: (dialog: "new-template" | "rename-template") => void): void => {
  const { screen, template } = useView();
  const { changeTemplates, openEditor: canOpen } = useOfProject(({ can }) => can);
  const isShown = useOfProject(({ templates }) => templates.some(({ name }) => name === template));
  const { source, templates } = useDataStore();
  const isTemplate = screen === "template" && isShown;
  const openBody = () => {
    const { template: name = "" } = currentView();
    const [body] = templates.get(name)?.value?.sources ?? [];
    if (body) openEditor(source, { file: body.file });
    else notify(`${name} has no file to open yet.`, "error");
  };
  useCommands(
    inGroup("Files", [
      changeTemplates && { id: "new-template", title: "New template…", run: () => open("new-template") },
      changeTemplates &&
        isTemplate && { id: "rename-template", title: "Rename template…", run: () => open("rename-template") },
      canOpen && isTemplate && { id: "open-editor", title: "Open in editor", run: openBody },
    ]),
  );
};
