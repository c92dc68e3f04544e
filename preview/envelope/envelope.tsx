import { Mails } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { inGroup, useCommands } from "../palette/commands.js";
import { counted } from "../state/counts.js";
import { useOfProject, useSummary, useTemplate } from "../state/data.js";
import { changeView, useEdited, useView } from "../state/view-store.js";
import { IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { Skeleton } from "../ui/empty-state.js";
import { Visible, visible, Spoken } from "../ui/text.js";
import { ClientChoice, InboxList } from "./inbox-list.js";
import {
  characterEnds,
  clientLists,
  type Cut,
  cutOff,
  type FirstWords,
  firstWordsOf,
  type Measure,
} from "./list-text.js";
import { useFilled, useInput } from "../variables/filled.js";
import { envelopeClients, type EnvelopeClient } from "../state/view.js";
import styles from "./envelope.module.css";
import { isRecord } from "../../src/values.js";

const context = document.createElement("canvas").getContext("2d");

const measureText: Measure = (text, font) => {
  if (!context) return text.length * 7;
  context.font = font;
  return context.measureText(text).width;
};

/** Subject and preheader as the client's list shows them. Undefined until something is known. */
const useShownLines = () => {
  const { client } = useView();
  const { message, trouble } = useFilled();
  // The current variables could not be filled in.
  const isOld = trouble !== undefined;
  const listed = useListed();
  const areFontsReady = useFontsReady();
  // The email itself comes first.
  const html = useDeferredValue(message?.html);
  const words = useMemo(() => (html === undefined ? undefined : firstWordsOf(html)), [html]) ?? listed?.words;
  const subject = message?.subject ?? listed?.subject;
  return useMemo(() => {
    if (subject === undefined || !words) return undefined;
    const list = clientLists[client];
    const shown = cutOff(subject, list.subject, measureText);
    return { subject: shown, words, preheader: preheaderCut(words, shown, client), isOld };
    // Widths change once the fonts have loaded.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [subject, words, client, isOld, areFontsReady]);
};

/**
 * Subject and preheader from the template list, which has them for the first fixture, until the template has loaded.
 */
const useListed = () => {
  const { fixture } = useView();
  const edited = useEdited();
  const summary = useSummary();
  const preheader = summary?.preheader ?? "";
  const words = useMemo(() => ({ preheader, rest: "" }), [preheader]);
  const isFirst = fixture === undefined || fixture === summary?.fixtures[0];
  if (summary?.state !== "compiled" || !isFirst || edited !== undefined) return undefined;
  return { subject: summary.subject, words };
};

const preheaderCut = ({ preheader, rest }: FirstWords, subject: Cut, client: EnvelopeClient): Cut => {
  const list = clientLists[client];
  const text = [preheader, rest].filter(Boolean).join(" ");
  if (list.preheader) return cutOff(text, list.preheader, measureText);
  const left = list.subject.width - measureText(`${subject.shown} – `, list.subject.font);
  if (subject.rest !== "" || left <= 0) return { shown: "", rest: text };
  return cutOff(text, { ...list.subject, width: left }, measureText);
};

const useFontsReady = (): boolean => {
  const [areReady, setAreReady] = useState(false);
  useEffect(() => {
    void document.fonts.ready.then(() => setAreReady(true));
  }, []);
  return areReady;
};

/** Sender, recipient, subject and preheader, with marks where the chosen client's list cuts them off. */
export const EnvelopeBar = () => {
  const { client } = useView();
  const from = useOfProject((project) => project.from);
  const list = clientLists[client];
  const lines = useShownLines();
  const to = useRecipient();
  const [isListOpen, setIsListOpen] = useState(false);
  useCommands(
    inGroup("View", [
      { id: "inbox-list", title: "Show the inbox list of all templates", run: () => setIsListOpen(true) },
      ...envelopeClients.map((id) => {
        const run = () => changeView({ client: id });
        return { id: `envelope-${id}`, title: `Envelope: ${clientLists[id].name}`, run };
      }),
    ]),
  );

  return (
    <section aria-label="Envelope" className={styles.envelope}>
      <div className={styles.client}>
        <span aria-hidden className={styles.about}>
          Inbox preview
        </span>
        <ClientChoice />
        <IconButton icon={Mails} label="Inbox list of all templates" onClick={() => setIsListOpen(true)} />
      </div>
      <dl className={classes(styles.fields, lines?.isOld && styles.old)}>
        <div className={styles.field}>
          <dt>From</dt>
          <dd>
            <span className={styles.text}>
              <Visible text={from} />
            </span>
          </dd>
        </div>
        <div className={classes(styles.field, styles.to)}>
          <dt>To</dt>
          <dd>
            <span className={styles.text}>
              <Visible text={to ?? "\u00a0"} />
            </span>
          </dd>
        </div>
        <div className={classes(styles.field, styles.wide)}>
          <dt>Subject</dt>
          <dd>
            {lines ? (
              <Line cut={lines.subject} missing='No subject: inboxes show "(no subject)".' isStrong />
            ) : (
              <Skeleton width="44%" />
            )}
          </dd>
        </div>
        <div className={classes(styles.field, styles.wide, list.preheader?.lines === 2 && styles.twoLines)}>
          <dt>Preheader</dt>
          <dd>
            {lines ? (
              <Line
                cut={lines.preheader}
                own={lines.words.preheader.length}
                missing="No preheader, and no body text to show instead."
              />
            ) : (
              <Skeleton width="68%" />
            )}
          </dd>
        </div>
      </dl>
      <InboxList isOpen={isListOpen} onClose={() => setIsListOpen(false)} />
    </section>
  );
};

const lengthOf = (text: string) => characterEnds(text).length;

/** Text with a mark where it is cut off, and its length. */
const Line = ({
  cut: { shown, rest },
  own = shown.length + rest.length,
  missing,
  isStrong,
}: {
  readonly cut: Cut;
  /** Length of the preheader itself in UTF-16 units. What follows are the body's first words. */
  readonly own?: number;
  /** Shown if the text is empty. */
  readonly missing: string;
  readonly isStrong?: boolean;
}) => {
  const text = (shown + rest).slice(0, own);
  const isCut = shown.length < own;
  if (shown + rest === "") return <span className={styles.missing}>{missing}</span>;
  return (
    <>
      <span className={classes(styles.text, isStrong && styles.strong)} title={visible(text)}>
        <bdi>
          {visible(text.slice(0, shown.length))}
          {isCut && (
            <>
              <span aria-hidden className={styles.cut} />
              <Spoken> (cut off here) </Spoken>
              <span className={styles.rest}>{visible(text.slice(shown.length))}</span>
            </>
          )}
          {shown.length > own && (
            <span className={styles.body}>
              {visible(shown.slice(own))}
              {rest !== "" && "…"}
            </span>
          )}
        </bdi>
      </span>
      <span className={classes(styles.count, (isCut || own === 0) && styles.over)}>
        {own === 0
          ? "No preheader: body text shows"
          : isCut
            ? `${lengthOf(shown)} of ${lengthOf(text)} shown`
            : counted(lengthOf(text), "character")}
      </span>
    </>
  );
};

/** An email address in the fixture, at its top level or one level below: `email`, `customer.email`. */
const addressIn = (value: unknown, depth: number): string | undefined => {
  if (!isRecord(value)) return undefined;
  const members = Object.entries(value);
  const own = members.find(([key, text]) => /^e-?mail(?:_?address)?$/i.test(key) && typeof text === "string");
  if (own) return String(own[1]);
  return depth === 0 ? undefined : members.map(([, member]) => addressIn(member, depth - 1)).find(Boolean);
};

/** The recipient that the envelope shows, once the template has loaded. Nothing is sent to this address. */
export const useRecipient = (): string | undefined => {
  const { input } = useInput();
  const { detail } = useTemplate();
  return detail && (addressIn(input, 1) ?? "ada@example.com");
};
