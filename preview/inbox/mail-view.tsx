import { useEffect, useMemo, useRef, useState } from "react";
import {
  Download,
  File,
  FileArchive,
  FileCode,
  FileSpreadsheet,
  FileText,
  Image,
  type LucideIcon,
  Monitor,
  Smartphone,
} from "lucide-react";
import type { MailAttachment, MailDetail, MailRecipient } from "../../src/preview/contract.js";
import { CodeView } from "../code/later-code-view.js";
import { useIsInboxReachable, useMails, useProject, useSource } from "../state/data.js";
import { desktop, type MailPart } from "../state/view.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar, Space } from "../ui/bar.js";
import { type Tab, tabPanel, Tabs } from "../ui/tabs.js";
import { visible, Visible, MessageText } from "../ui/text.js";
import { MailHead } from "./mail-head.js";
import { EmptyState } from "../ui/empty-state.js";
import { markRead } from "./mail-list.js";
import { eventTime, formatSize, isUnderWay, statusWords } from "./format.js";
import { EmailFrame, useSize } from "../email/email-frame.js";
import { useIsNarrow } from "../state/window.js";
import { useRemoteImages } from "../stage/remote-images.js";
import { SCHEMES, PHONE_WIDTH } from "../stage/panes.js";
import { Segmented, Toggle } from "../ui/field.js";
import { Badge } from "../ui/badge.js";
import { classes } from "../ui/classes.js";
import { CopyButton, CopyCode } from "../ui/copy.js";
import { messageOf } from "../data/source.js";
import styles from "./mail-view.module.css";

/** Interval in ms at which an email is loaded again while delivery is under way. */
const pause = 3_000;

/** Loads the email with this id, which stays the same. */
const useMail = (id: string) => {
  const source = useSource();
  const status = useMails().find((mail) => mail.id === id)?.status;
  const [loaded, setLoaded] = useState<{ readonly mail?: MailDetail; readonly trouble?: string }>({});
  const isWaiting = loaded.mail !== undefined && isUnderWay(loaded.mail.status);
  useEffect(() => {
    let isGone = false;
    const load = () =>
      source.mail(id).then(
        (mail) => isGone || setLoaded({ mail }),
        // An email that was listed and no longer exists was deleted: its last state stays.
        (error: unknown) =>
          isGone || setLoaded((before) => ({ ...(status !== undefined && before), trouble: messageOf(error) })),
      );
    void load();
    const timer = isWaiting ? setInterval(() => void load(), pause) : undefined;
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [source, id, status, isWaiting]);
  return loaded;
};

interface MailViewProps {
  readonly id: string;
  readonly onDelete: (id: string) => Promise<void>;
}

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
      <div {...tabPanel("mail", part)} className="fill">
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
  const { id, html = "", text = "", source, sourceUrl, attachments, headers } = mail;
  if (part === "rendered") return <RenderedMail mail={mail} />;
  if (part === "html") return <CodeView text={html} language="html" label="HTML" name={`${id}.html`} />;
  if (part === "text") return <CodeView text={text} language="text" label="Text" name={`${id}.txt`} />;
  if (part === "source")
    return <CodeView text={source} language="text" label="Source" name={`${id}.eml`} url={sourceUrl} />;
  if (part === "attachments") return <Attachments attachments={attachments} />;
  return part === "headers" ? <Headers headers={headers} /> : <Delivery mail={mail} />;
};

const MissingMail = ({ isReachable, trouble }: { readonly isReachable: boolean; readonly trouble: string }) => (
  <div className="page">
    <EmptyState title={isReachable ? "This email no longer exists" : "The local service isn't running"}>
      <MessageText text={trouble} />
    </EmptyState>
  </div>
);

/** In pixels, on each side of the email, including its border. */
const gutter = 17;

/** The email as its recipient sees it, with its embedded images. */
const RenderedMail = ({ mail }: { readonly mail: MailDetail }) => {
  const project = useProject();
  const remoteImages = useRemoteImages();
  const { mailScheme: scheme = "light", ...view } = useView();
  const isNarrow = useIsNarrow();
  const isMailOnPhone = view.isMailOnPhone ?? isNarrow;
  const width = isMailOnPhone ? PHONE_WIDTH : desktop.width;
  const place = useRef<HTMLDivElement>(null);
  const room = useSize(place);
  const scale = room.width > 0 ? Math.min(1, (room.width - 2 * gutter) / width) : 1;
  const contentIds = useMemo(
    () => Object.fromEntries(mail.attachments.flatMap(({ contentId, url }) => (contentId ? [[contentId, url]] : []))),
    [mail.attachments],
  );
  const html = useMemo(() => {
    const bases = [mail.assetsBase, project.assetsBase].flatMap((base) => (base === undefined ? [] : [`${base}/`]));
    return bases.reduce((text, base) => text.replaceAll(base, "assets/"), mail.html ?? "");
  }, [mail.html, mail.assetsBase, project.assetsBase]);
  return (
    <>
      <Bar label="Display options">
        <Segmented
          label="Width"
          value={isMailOnPhone ? "phone" : "desktop"}
          options={[
            { value: "desktop", label: "Desktop", icon: Monitor },
            { value: "phone", label: "Phone", icon: Smartphone },
          ]}
          onChange={(next) => changeView({ isMailOnPhone: next === "phone" })}
        />
        <Segmented
          label="Light or dark"
          value={scheme}
          options={SCHEMES}
          onChange={(next) => changeView({ mailScheme: next === "light" ? undefined : next })}
        />
        <Space />
        <Toggle label="Remote images" isOn={remoteImages.areShown} onChange={remoteImages.toggle} />
      </Bar>
      <div ref={place} className={styles.place} tabIndex={0} role="region" aria-label="Rendered email">
        <div className={styles.sheet}>
          <EmailFrame
            html={html}
            title={`Email: ${visible(mail.subject)}`}
            width={width}
            scale={scale}
            look={{ scheme }}
            showsRemoteImages={remoteImages.areShown}
            contentIds={contentIds}
          />
        </div>
      </div>
    </>
  );
};

const Attachments = ({ attachments }: Pick<MailDetail, "attachments">) => (
  <ul className={styles.list}>
    {attachments.map((attachment) => (
      <li key={attachment.url}>
        <Attachment {...attachment} />
      </li>
    ))}
  </ul>
);

/**
 * Attachments can be downloaded but not opened here: their names and types come from the sender and can't be trusted.
 */
const Attachment = ({ filename, contentType, contentId, bytes, url }: MailAttachment) => {
  const Icon = iconOf(contentType);
  return (
    <a className={styles.file} href={url} download={filename}>
      <Icon size={20} strokeWidth={1.5} aria-hidden />
      <span className={styles.name}>
        <b>{filename}</b>
        <span className="cut small">
          {contentType}
          {contentId !== undefined && ` · embedded as cid:${contentId}`}
        </span>
      </span>
      <span className="figure">{formatSize(bytes)}</span>
      <Download size={16} aria-hidden />
    </a>
  );
};

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^image\//, Image],
  [/zip|compressed|tar/, FileArchive],
  [/csv|spreadsheet|excel/, FileSpreadsheet],
  [/html|json|xml|javascript|calendar/, FileCode],
  [/^text\/|pdf|word/, FileText],
];

const iconOf = (contentType: string): LucideIcon => icons.find(([pattern]) => pattern.test(contentType))?.[1] ?? File;

/** The email's delivery events, for each recipient. */
const Delivery = ({ mail: { recipients, sentAt } }: { readonly mail: MailDetail }) => (
  <div className={styles.deliveryPlace} tabIndex={0} role="region" aria-label="Delivery">
    {recipients.map((recipient) => (
      <Course key={recipient.logId} recipient={recipient} sentAt={sentAt} />
    ))}
  </div>
);

const Course = ({ recipient, sentAt }: { readonly recipient: MailRecipient; readonly sentAt: string }) => {
  const { email, logId, status, events } = recipient;
  const { label, tone } = statusWords(status);
  return (
    <section>
      <h3 className="across">
        {email}
        <Badge tone={tone}>{label}</Badge>
      </h3>
      <p className={styles.entry}>
        Log entry <code>{logId}</code> <CopyCode code={logId} />
      </p>
      <ol>
        {events.map((event, index) => {
          const words = statusWords(event.status);
          return (
            <li key={index} data-tone={words.tone === "neutral" ? undefined : words.tone} className={styles.event}>
              <span className={styles.what}>{words.event}</span>
              <time dateTime={event.at}>{eventTime(event.at, sentAt)}</time>
              {event.detail !== undefined && <code>{event.detail}</code>}
            </li>
          );
        })}
        {events.length === 0 && <li className={classes("soft", styles.event)}>The log has no events of this email</li>}
        {isUnderWay(status) && <li className={classes("soft", styles.event, styles.coming)}>More to come</li>}
      </ol>
    </section>
  );
};

const Headers = ({ headers }: Pick<MailDetail, "headers">) => (
  <>
    <Bar>
      <span className={styles.count}>{headers.length} headers</span>
      <Space />
      <CopyButton text={headers.map(({ name, value }) => `${name}: ${value}`).join("\n")} what="Headers" />
    </Bar>
    <div className="scroll" tabIndex={0} role="region" aria-label="Headers">
      <table className={styles.table}>
        <tbody>
          {headers.map(({ name, value }, index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>
                <Visible text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
);
