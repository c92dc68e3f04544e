import { useEffect, useRef, useState } from "react";
import { later } from "../ui/later.js";
import { Palette } from "../palette/palette.js";
import { useShortcuts } from "../palette/shortcuts.js";
import { ShortcutList } from "../palette/shortcut-list.js";
import { SendTest } from "../send/send-test.js";
import { useOfProject } from "../state/data.js";
import { useView } from "../state/view-store.js";
import { NewTemplate } from "../templates/new-template.js";
import { RenameTemplate } from "../templates/rename-template.js";
import { useTemplateCommands } from "../templates/use-template-commands.js";
import { ConnectionBar } from "./connection-bar.js";
import { ErrorBoundary } from "./error-boundary.js";
import { Header } from "./header.js";
import { Notices } from "./notices.js";
import { ProjectProblems } from "./project-problems.js";
import styles from "./shell.module.css";
import { useShellCommands } from "./use-shell-commands.js";
import { useOfferedView } from "./use-offered-view.js";
import { useUpdatesSaid } from "./use-updates-said.js";
import { useDocumentTitle } from "./use-document-title.js";
import { Welcome } from "./welcome.js";
import { Workbench } from "./workbench.js";

const Inbox = later(async () => (await import("../inbox/inbox.js")).Inbox);

export type OpenDialog = "palette" | "shortcuts" | "send" | "new-template" | "rename-template";

/** The whole page, once the project has loaded. */
export const Shell = () => {
  const { screen } = useView();
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const [dialog, setDialog] = useState<OpenDialog>();
  const main = useRef<HTMLElement>(null);
  const email = useRef<HTMLElement>(null);
  const close = () => setDialog(undefined);
  useShortcuts();
  useShellCommands(setDialog);
  useTemplateCommands(setDialog);
  useDocumentTitle();
  useUpdatesSaid();
  useOfferedView();
  const shown = useRef(screen);
  useEffect(() => {
    // The focused element may have gone with the previous screen.
    if (shown.current !== screen && document.activeElement === document.body) main.current?.focus();
    shown.current = screen;
  }, [screen]);

  return (
    <div className={styles.page}>
      <button type="button" className={styles.skip} onClick={() => (email.current ?? main.current)?.focus()}>
        Skip to the {screen === "inbox" ? "emails" : "email"}
      </button>
      <Header onOpen={setDialog} />
      <ConnectionBar />
      <ProjectProblems />
      <main ref={main} tabIndex={-1} aria-label={screen === "inbox" ? "Inbox" : "Templates"} className={styles.main}>
        {screen === "inbox" ? (
          <ErrorBoundary area="inbox">
            <Inbox />
          </ErrorBoundary>
        ) : isEmpty ? (
          <Welcome onNew={() => setDialog("new-template")} />
        ) : (
          <Workbench email={email} onNew={() => setDialog("new-template")} />
        )}
      </main>
      <Palette isOpen={dialog === "palette"} onClose={close} />
      <ShortcutList isOpen={dialog === "shortcuts"} onClose={close} />
      {dialog === "send" && <SendTest onClose={close} />}
      {dialog === "new-template" && <NewTemplate onClose={close} />}
      {dialog === "rename-template" && <RenameTemplate onClose={close} />}
      <Notices />
    </div>
  );
};
