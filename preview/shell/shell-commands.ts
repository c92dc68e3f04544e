import { type Command, useCommands } from "../palette/commands.js";
import { useOfProject } from "../state/data.js";
import { fitsLink, linkHashOf } from "../state/address.js";
import { changeView, currentView, useView } from "../state/view-store.js";
import { copyText } from "../ui/copy.js";
import { notify } from "../ui/notice.js";
import type { OpenDialog } from "./shell.js";
import { setTheme, themeNames, themes, useTheme } from "./theme.js";

/** Commands of the whole page. Areas add their own. */
export const useShellCommands = (open: (dialog: OpenDialog) => void): void => {
  const view = useView();
  const can = useOfProject((project) => project.can);
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const theme = useTheme();
  const page = "Page";
  const isTemplate = view.screen === "template" && !isEmpty;
  useCommands([
    {
      id: "palette",
      title: "Go to a template or run a command",
      group: page,
      keys: "mod+k",
      run: () => open("palette"),
    },
    { id: "shortcuts", title: "Show all keyboard shortcuts", group: page, keys: "?", run: () => open("shortcuts") },
    {
      id: "templates",
      title: "Show templates",
      group: page,
      keys: "g t",
      run: () => changeView({ screen: "template" }),
    },
    ...when(can.seeInbox, {
      id: "inbox",
      title: "Show inbox",
      group: page,
      keys: "g i",
      run: () => changeView({ screen: "inbox" }),
    }),
    ...when(can.send && !isEmpty, {
      id: "send-test",
      title: "Send a test",
      group: page,
      keys: "s",
      run: () => open("send"),
    }),
    {
      id: "copy-link",
      title: "Copy a link to this view",
      group: page,
      keys: "shift+l",
      run: () => void copyLink(),
    },
    ...when(
      isTemplate,
      {
        id: "sidebar",
        title: view.isSidebarHidden ? "Show template list" : "Hide template list",
        group: page,
        keys: "[",
        run: () => changeView({ isSidebarHidden: view.isSidebarHidden ? undefined : true }),
      },
      {
        id: "variables",
        title: view.right ? "Hide variables" : "Show variables",
        group: page,
        keys: "]",
        run: () => changeView({ right: view.right ? undefined : "form" }),
      },
    ),
    ...themes
      .filter((choice) => choice !== theme)
      .map((choice) => ({
        id: `theme-${choice}`,
        title: `Theme: ${themeNames[choice].toLowerCase()}`,
        group: page,
        run: () => setTheme(choice),
      })),
  ]);
};

const copyLink = async (): Promise<void> => {
  const { origin, pathname } = window.location;
  const view = currentView();
  const isCopied = await copyText(`${origin}${pathname}#${linkHashOf(view)}`, "Link");
  if (isCopied && !fitsLink(view))
    notify(
      "The link doesn't include your edited variables because they are too large. Save them as a fixture.",
      "error",
    );
};

const when = (areThere: boolean, ...commands: readonly Command[]): readonly Command[] => (areThere ? commands : []);
