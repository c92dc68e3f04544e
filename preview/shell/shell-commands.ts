import { inGroup, useCommands } from "../palette/commands.js";
import { usePaletteTitle } from "../palette/palette.js";
import { fitsLink, linkHashOf } from "../state/address.js";
import { useOfProject, useSource } from "../state/data.js";
import { preferences, ObservableStore } from "../state/stores.js";
import { changeView, currentView, openFolder, useView } from "../state/view-store.js";
import { copyText } from "../ui/copy.js";
import { notify } from "../ui/notice.js";

export type OpenDialog = "palette" | "shortcuts" | "send" | "new-template" | "rename-template";

/** Commands of the whole page. Areas add their own. */
export const useShellCommands = (open: (dialog: OpenDialog) => void): void => {
  const { screen, isSidebarHidden, right } = useView();
  const can = useOfProject((project) => project.can);
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const theme = useTheme();
  const paletteTitle = usePaletteTitle();
  const { kind } = useSource();
  const isTemplate = screen === "template" && !isEmpty;
  useCommands(
    inGroup("Page", [
      { id: "palette", title: paletteTitle, keys: "mod+k", run: () => open("palette") },
      { id: "shortcuts", title: "Show all keyboard shortcuts", keys: "?", run: () => open("shortcuts") },
      kind !== "local-service" && {
        id: "templates",
        title: "Show templates",
        keys: "g t",
        run: () => changeView({ screen: "template" }),
      },
      can.seeInbox && {
        id: "inbox",
        title: "Show inbox",
        keys: "g i",
        run: () => changeView({ screen: "inbox" }),
      },
      can.seeInbox && { id: "sent", title: "Show sent emails", keys: "g s", run: () => openFolder("sent") },
      can.seeInbox && {
        id: "forwarded",
        title: "Show forwarded emails",
        keys: "g f",
        run: () => openFolder("forwarded"),
      },
      can.seeOutbox && { id: "outbox", title: "Show the outbox", keys: "g o", run: () => openFolder("outbox") },
      can.send && !isEmpty && { id: "send-test", title: "Send a test", keys: "s", run: () => open("send") },
      { id: "copy-link", title: "Copy a link to this view", keys: "shift+l", run: () => void copyLink() },
      isTemplate && {
        id: "sidebar",
        title: isSidebarHidden ? "Show template list" : "Hide template list",
        keys: "[",
        run: toggleSidebar,
      },
      isTemplate && {
        id: "variables",
        title: right ? "Hide variables" : "Show variables",
        keys: "]",
        run: toggleVariables,
      },
      ...themes
        .filter((choice) => choice !== theme)
        .map((choice) => ({
          id: `theme-${choice}`,
          title: `Theme: ${themeNames[choice].toLowerCase()}`,
          run: () => setTheme(choice),
        })),
    ]),
  );
};

export const toggleSidebar = (): void =>
  changeView({ isSidebarHidden: currentView().isSidebarHidden ? undefined : true });

export const toggleVariables = (): void => changeView({ right: currentView().right ? undefined : "form" });

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

export const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

export const themeNames: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

const currentTheme = new ObservableStore<Theme>(
  themes.find((theme) => theme === preferences.read("theme")) ?? "system",
);

const applyTheme = (theme: Theme) => {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
};
applyTheme(currentTheme.get());

export const setTheme = (theme: Theme): void => {
  preferences.write("theme", theme);
  applyTheme(theme);
  currentTheme.set(theme);
};

export const useTheme = (): Theme => currentTheme.use();
