import { useEffect, useState } from "react";
import type { MailDetail } from "../../src/preview/contract.js";
import { CodeView } from "../code/later-code-view.js";
import { useIsInboxReachable, useMails, useSource } from "../state/data.js";
import type { MailPart } from "../state/view.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { type Tab, tabPanel, Tabs } from "../ui/tabs.js";
import { visible } from "../ui/text.js";
import { Attachments } from "./attachments.js";
import { Delivery } from "./delivery.js";
import { Headers } from "./headers.js";
import { MailHead } from "./mail-head.js";
import { MissingMail } from "./no-mail.js";
import { RenderedMail } from "./rendered-mail.js";
import { markRead } from "./unread.js";
import { isUnderWay } from "./format.js";
import styles from "./mail-view.module.css";

interface Result {
  readonly id: string;
  readonly mail?: MailDetail;
  readonly trouble?: string;
}

/** Interval in ms at which an email is loaded again while delivery is under way. */
const pause = 3_000;

/** Loads the email with this id. The previous email stays until it has loaded. */
const useMail = (id: string | undefined): Partial<Result> & { readonly isPending: boolean } => {
  const source = useSource();
  const status = useMails().find((mail) => mail.id === id)?.status;
  const [result, setResult] = useState<Result>();
  const shown = id === undefined ? undefined : result;
  const isWaiting = shown?.id === id && shown?.mail !== undefined && isUnderWay(shown.mail.status);

  useEffect(() => {
    if (id === undefined) return undefined;
    let isGone = false;
    const load = () =>
      source.mail(id).then(
        (mail) => isGone || setResult({ id, mail }),
        (error: unknown) =>
          isGone ||
          setResult((before) => ({
            // An email that was listed and no longer exists was deleted: its last state stays.
            ...(before?.id === id && status !== undefined && before),
            id,
            trouble: error instanceof Error ? error.message : String(error),
          })),
      );
    void load();
    const timer = isWaiting ? setInterval(() => void load(), pause) : undefined;
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [source, id, status, isWaiting]);
  return { ...shown, isPending: id !== undefined && shown?.id !== id };
};

export interface MailViewProps {
  readonly id: string;
  readonly onDelete: (id: string) => Promise<void>;
}

/** A captured email with all of its parts. */
export const MailView = ({ id, onDelete }: MailViewProps) => {
  const { mail, trouble } = useMail(id);
  const isReachable = useIsInboxReachable();
  // The chosen part stays when the user moves to another email.
  const { mailPart: wanted = "rendered" } = useView();
  useEffect(() => markRead([id]), [id]);
  if (!mail) return trouble === undefined ? null : <MissingMail isReachable={isReachable} trouble={trouble} />;

  const parts = partsOf(mail);
  const part = parts.find((each) => each.id === wanted)?.id ?? parts[0]?.id ?? "source";
  return (
    <article id="mail" tabIndex={-1} aria-label={visible(mail.subject)} className={styles.mail}>
      <MailHead mail={mail} canDelete={isReachable} onDelete={() => void onDelete(id)} />
      <Bar>
        <Tabs
          base="mail"
          label="Email parts"
          tabs={parts}
          value={part}
          onChange={(next) => changeView({ mailPart: next === "rendered" ? undefined : next })}
        />
      </Bar>
      <div {...tabPanel("mail", part)} className={styles.part}>
        <PartOf mail={mail} part={part} />
      </div>
    </article>
  );
};

const partsOf = ({ html, text, attachments, recipients }: MailDetail): readonly Tab<MailPart>[] => [
  ...(html === undefined
    ? []
    : [{ id: "rendered", label: "Rendered" } as const, { id: "html", label: "HTML" } as const]),
  ...(text === undefined ? [] : [{ id: "text", label: "Text" } as const]),
  ...(attachments.length === 0
    ? []
    : [{ id: "attachments", label: "Attachments", count: attachments.length } as const]),
  { id: "delivery", label: "Delivery", ...(recipients.length > 1 && { count: recipients.length }) },
  { id: "headers", label: "Headers" },
  { id: "source", label: "Source" },
];

const PartOf = ({ mail, part }: { readonly mail: MailDetail; readonly part: MailPart }) => {
  const { id, html = "", text = "", source, attachments, headers } = mail;
  if (part === "rendered") return <RenderedMail mail={mail} />;
  if (part === "html") return <CodeView text={html} language="html" label="HTML" name={`${id}.html`} />;
  if (part === "text") return <CodeView text={text} language="text" label="Text" name={`${id}.txt`} />;
  if (part === "source") return <CodeView text={source} language="text" label="Source" name={`${id}.eml`} />;
  if (part === "attachments") return <Attachments attachments={attachments} />;
  return part === "headers" ? <Headers headers={headers} /> : <Delivery mail={mail} />;
};
