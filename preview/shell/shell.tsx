import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { MailPlus, Plus, ServerOff, TriangleAlert } from "lucide-react";
import { later } from "../ui/later.js";
import { Palette } from "../palette/palette.js";
import { useShortcuts, ShortcutList } from "../palette/shortcuts.js";
import { SendTest } from "../send/send-test.js";
import { useDataStore, useLoadingTrouble, useMails, useOfProject, useSource } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { NewTemplateDialog } from "../templates/new-template.js";
import { RenameTemplate } from "../templates/rename-template.js";
import { useTemplateCommands } from "../templates/use-template-commands.js";
import { ConnectionBar, Notices, ProjectProblems, ProblemText } from "./notices.js";
import { ErrorBoundary } from "./error-boundary.js";
import { Header } from "./header.js";
import { type OpenDialog, useShellCommands } from "./shell-commands.js";
import { Workbench } from "./workbench.js";
import { announce } from "../ui/notice.js";
import { Bar } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { EmptyState, FirstSteps, Skeleton } from "../ui/empty-state.js";
import { Spoken, MessageText } from "../ui/text.js";
import { sidebarSize } from "../state/window.js";
import styles from "./shell.module.css";

/** Announces to screen readers which templates a save changed. */
const useUpdatesSaid = (): void => {
  const store = useDataStore();
  useEffect(
    () =>
      store.onChanged((names) =>
        announce(names.length > 3 ? `${names.length} templates updated` : `${names.join(", ")} updated`),
      ),
    [store],
  );
};

/** A link may come from a page with more features: replaces a screen or tab that this page does not have. */
const useOfferedView = (): void => {
  const { screen, bottom } = useView();
  const { seeInbox, seeRemote } = useOfProject(({ can }) => can);
  const { kind } = useSource();
  const offered = kind === "local-service" ? "inbox" : seeInbox ? screen : "template";
  const hasNoTab = bottom === "remote" && !seeRemote;
  useLayoutEffect(() => {
    changeView({ screen: offered }, "replace");
    if (hasNoTab) changeView({ bottom: "problems" }, "replace");
  }, [offered, screen, hasNoTab]);
};

/** A component, so that an arriving email does not render the whole page. */
const DocumentTitle = () => {
  const name = useOfProject((project) => project.name);
  const { screen, template, mail } = useView();
  const subject = useMails().find(({ id }) => id === mail)?.subject;
  const shown = screen === "inbox" ? subject || "Inbox" : template;
  const title = shown ? `${shown} · ${name}` : name;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
};

const InboxPage = later(async () => (await import("../inbox/inbox.js")).InboxPage);

export const Shell = () => {
  const { screen, folder } = useView();
  const isEmpty = useOfProject(({ templates }) => templates.length === 0);
  const [dialog, setDialog] = useState<OpenDialog>();
  const main = useRef<HTMLElement>(null);
  const email = useRef<HTMLElement>(null);
  const close = () => setDialog(undefined);
  useShortcuts();
  useShellCommands(setDialog);
  useTemplateCommands(setDialog);
  useUpdatesSaid();
  useOfferedView();
  const place = `${screen} ${folder}`;
  const shown = useRef(place);
  useEffect(() => {
    // The focused element may have gone with the previous screen or folder.
    if (shown.current !== place && document.activeElement === document.body) main.current?.focus();
    shown.current = place;
  }, [place]);

  return (
    <div className={styles.page}>
      <DocumentTitle />
      <button type="button" className={styles.skip} onClick={() => (email.current ?? main.current)?.focus()}>
        Skip to the {screen === "inbox" ? "emails" : "email"}
      </button>
      <Header onOpen={setDialog} />
      <ConnectionBar />
      <ProjectProblems />
      <main ref={main} tabIndex={-1} aria-label={screen === "inbox" ? "Inbox" : "Templates"} className={styles.main}>
        {screen === "inbox" ? (
          <ErrorBoundary area="inbox">
            <InboxPage />
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
      {dialog === "new-template" && <NewTemplateDialog onClose={close} />}
      {dialog === "rename-template" && <RenameTemplate onClose={close} />}
      <Notices />
    </div>
  );
};

const newTemplate = [
  { what: "A new template in MJML", line: "npx lettershop new welcome --mjml" },
  { what: "A new template in React", line: "npx lettershop new welcome --react" },
];

const steps = [
  { what: "Starter templates: welcome, receipt, sign-in code and failed payment", line: "npx lettershop init" },
  { what: "Your React Email or MJML files, from the folder they are in", line: "npx lettershop init --from ./emails" },
];

/**
 * Shown for a project without templates: how to create the first one, or which problems keep its templates from
 * loading.
 */
const Welcome = ({ onNew }: { readonly onNew: () => void }) => {
  const name = useOfProject((project) => project.name);
  const problems = useOfProject((project) => project.problems);
  const canCreate = useOfProject(({ can }) => can.changeTemplates);
  const obstacles = problems.filter(({ isBlocking }) => isBlocking);
  const root = problems.find(({ rule }) => rule === "templates-root")?.at?.file ?? "templates";
  if (obstacles.length > 0) {
    return (
      <FirstSteps icon={TriangleAlert} title={`${name} can't be shown yet`} about="Fix this to see its templates here.">
        {obstacles.map((problem, at) => (
          <ProblemText key={at} problem={problem} />
        ))}
      </FirstSteps>
    );
  }
  return (
    <FirstSteps
      icon={MailPlus}
      title={`${name} has no templates yet`}
      about={
        canCreate
          ? "Create the first one here, or run one of these in the project's folder. New templates show up here right away."
          : "Run one of these in the project's folder. New templates show up here right away."
      }
      {...(canCreate && {
        action: (
          <Button kind="primary" icon={Plus} onClick={onNew}>
            New template
          </Button>
        ),
      })}
      steps={canCreate ? steps : [...newTemplate, ...steps]}
    >
      <p>
        Or save your own file as <code>{root}/welcome.html</code>, <code>.mjml</code> or <code>.tsx</code>.
      </p>
    </FirstSteps>
  );
};

/** The page's layout while the project loads. */
export const LoadingShell = () => {
  const trouble = useLoadingTrouble();
  return (
    <main className={styles.page}>
      <Bar isHigh />
      {trouble === undefined ? (
        <>
          <Spoken>Loading templates</Spoken>
          <div className={styles.side} style={{ width: sidebarSize() }}>
            {["56%", "72%", "48%", "64%", "52%", "70%"].map((width, at) => (
              <div key={at} className="stack">
                <Skeleton width={width} />
                <Skeleton width="84%" />
              </div>
            ))}
          </div>
        </>
      ) : (
        <EmptyState icon={ServerOff} title="Couldn't load the project">
          <MessageText text={trouble} />
        </EmptyState>
      )}
    </main>
  );
};
