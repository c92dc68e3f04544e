import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useSummary } from "../state/data.js";
import { useFilled } from "../state/filled.js";
import type { EnvelopeClient } from "../state/view.js";
import { useEdited, useView } from "../state/view-store.js";
import { clientLists } from "./clients.js";
import { type Cut, cutOff } from "./cut.js";
import { type FirstWords, firstWordsOf } from "./first-words.js";
import { measureText } from "./measure.js";

/** Subject and preheader as a client's list shows them. */
export interface ShownLines {
  readonly subject: Cut;
  readonly words: FirstWords;
  readonly preheader: Cut;
  /** Whether the current variables could not be filled in, so that this is out of date. */
  readonly isOld: boolean;
}

/** Undefined until something is known. */
export const useShownLines = (): ShownLines | undefined => {
  const { client } = useView();
  const { message, trouble } = useFilled();
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
