import { CircleCheck, TriangleAlert, X, Unplug, SquarePen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { serverGone } from "../data/live.js";
import { MessageText, CodeFrame, Spoken } from "../ui/text.js";
import { useIsConnected, useOfProject, useSource } from "../state/data.js";
import { IconButton, Button } from "../ui/button.js";
import { dismiss, useNotices, dismissErrors, notify } from "../ui/notice.js";
import { inGroup, useCommands } from "../palette/commands.js";
import { Dialog } from "../ui/dialog.js";
import type { Problem } from "../../src/preview/contract.js";
import { useEditor, wholePlaceText } from "../panels/show.js";
import styles from "./notices.module.css";

/** Notices above everything else, including dialogs: a popover that is opened again for every notice. */
export const Notices = () => {
  const all = useNotices();
  const isConnected = useIsConnected();
  // The connection bar already shows this.
  const notices = isConnected ? all : all.filter(({ text }) => !text.endsWith(serverGone));
  const list = useRef<HTMLDivElement>(null);
  const last = notices.findLast(({ kind }) => kind !== "silent")?.id;
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    if (current.matches(":popover-open")) current.hidePopover();
    if (last !== undefined) current.showPopover();
  }, [last]);
  return (
    <>
      <div role="status" aria-live="polite" className="spoken">
        {all.map(({ id, text }) => (
          <p key={id}>{text.replaceAll("`", "")}</p>
        ))}
      </div>
      <div ref={list} popover="manual" className={styles.notices}>
        {notices.map(({ id, text, kind }) =>
          kind === "silent" ? null : (
            <div key={id} data-tone={kind} className={styles.notice}>
              {kind === "good" ? <CircleCheck size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
              {/* The status above already announces this. */}
              <p aria-hidden>
                <MessageText text={text} />
              </p>
              <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
            </div>
          ),
        )}
      </div>
    </>
  );
};

/** Shown while the server does not respond. The page reconnects by itself. */
export const ConnectionBar = () => {
  const isConnected = useIsConnected();
  const isPreview = useSource().kind === "preview";
  const wasGone = useRef(false);
  useEffect(() => {
    if (isConnected && wasGone.current) {
      dismissErrors();
      notify("Connected again");
    }
    wasGone.current = !isConnected;
  }, [isConnected]);
  if (isConnected) return null;
  return (
    <div role="alert" data-tone="warning" className={styles.bar}>
      <Unplug size={16} aria-hidden />
      <p>
        <strong>The {isPreview ? "preview server" : "local service"} stopped.</strong> Start it again, for example with{" "}
        <code>templates {isPreview ? "preview" : "dev"}</code>; this page reconnects on its own.
        {isPreview && " Your edits are kept."}
      </p>
    </div>
  );
};

/** Problems of the configuration and of templates that could not be loaded. All others are among the findings. */
export const ProjectProblems = () => {
  const problems = useOfProject((project) => project.problems).filter(({ isBlocking }) => isBlocking);
  const [isOpen, setIsOpen] = useState(false);
  const [first] = problems;
  useCommands(
    inGroup("Page", [first && { id: "project-problems", title: "Show project problems", run: () => setIsOpen(true) }]),
  );
  if (!first) return null;
  return (
    <div role="status" data-tone="error" className={styles.bar}>
      <TriangleAlert size={16} aria-hidden />
      <p className={styles.text}>
        {first.at && <code>{first.at.file}</code>} <MessageText text={first.message} />
      </p>
      <Button onClick={() => setIsOpen(true)}>
        {problems.length === 1 ? "Show it" : `Show all ${problems.length}`}
      </Button>
      <Dialog
        title={problems.length === 1 ? "Project problem" : `${problems.length} project problems`}
        isOpen={isOpen}
        size="wide"
        onClose={() => setIsOpen(false)}
      >
        {problems.map((problem, at) => (
          <ProblemText key={at} problem={problem} />
        ))}
      </Dialog>
    </div>
  );
};

/** A whole problem: the message, what to do, where, and the lines around it. */
export const ProblemText = ({ problem: { rule, message, hint, at, frame } }: { readonly problem: Problem }) => {
  const edit = useEditor();
  const place = at && <code>{wholePlaceText(at)}</code>;
  return (
    <article className={styles.problem}>
      <p className={styles.message}>
        <MessageText text={message} />
      </p>
      {hint && (
        <p className="soft">
          <MessageText text={hint} isHint />
        </p>
      )}
      {at && (
        <div className={styles.place}>
          {edit && !at.isNoFile ? (
            <button type="button" title="Open in editor" className={styles.open} onClick={() => edit(at)}>
              <SquarePen size={14} aria-hidden />
              <Spoken>Open in editor: </Spoken>
              {place}
            </button>
          ) : (
            place
          )}
          <span>{rule}</span>
        </div>
      )}
      <CodeFrame lines={frame} column={at?.column} />
    </article>
  );
};
