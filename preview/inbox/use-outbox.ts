import { useEffect, useRef, useState } from "react";
import type { OutboxMessageDetail, OutboxOverview, OutboxQuery, OutboxReport } from "../../src/preview/contract.js";
import { whileVisible } from "../data/live.js";
import { messageOf } from "../data/source.js";
import { useSource } from "../state/data.js";
import { createNewestQueue } from "../state/stores.js";

/** Pauses between two readings of the store, in ms. A slow store is left alone for ten times as long as it took. */
const PAUSE_MS = { least: 1_000, most: 30_000 };
const REST = 10;
/** After how many ms without an answer the page says so. */
const LATE_MS = 3_000;

export interface KnownOutbox {
  /** Undefined until the store has answered. It stays while the store can't be read. */
  readonly outbox?: OutboxOverview;
  /** The query that it answers. */
  readonly query?: OutboxQuery;
  /** When it was read, in ms since 1970. */
  readonly readAt?: number;
  /** Templates of the messages that were listed so far: the store does not list all of them. */
  readonly templates?: readonly string[];
  readonly trouble?: NonNullable<OutboxReport["trouble"]>;
  readonly hasNoStore?: true;
  /** Whether an answer takes long. */
  readonly isLate?: boolean;
}

/** The outbox, read again and again while the page is visible. */
export const useOutbox = (query: OutboxQuery): KnownOutbox => {
  const source = useSource();
  const [known, setKnown] = useState<KnownOutbox>({});
  const asked = JSON.stringify(query);
  useEffect(
    () =>
      whileVisible(() => {
        const wanted: OutboxQuery = JSON.parse(asked);
        const ending = new AbortController();
        const { signal } = ending;
        let timer: ReturnType<typeof setTimeout> | undefined;
        const read = async () => {
          const start = performance.now();
          const late = setTimeout(() => setKnown((before) => ({ ...before, isLate: true })), LATE_MS);
          signal.addEventListener("abort", () => clearTimeout(late));
          const { outbox, trouble } = await source
            .outbox(wanted, signal)
            .catch((error: unknown): OutboxReport => ({ trouble: { message: messageOf(error) } }));
          clearTimeout(late);
          if (signal.aborted) return;
          if (outbox)
            setKnown(({ templates = [] }) => ({
              outbox,
              query: wanted,
              readAt: Date.now(),
              templates: [...new Set([...templates, ...outbox.messages.flatMap(({ template = [] }) => template)])],
            }));
          else if (trouble) setKnown((before) => ({ ...before, trouble, isLate: false }));
          else setKnown({ hasNoStore: true });
          const rest = outbox ? REST * (performance.now() - start) : 0;
          timer = setTimeout(() => void read(), Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, rest)));
        };
        void read();
        return () => {
          ending.abort();
          clearTimeout(timer);
        };
      }),
    [source, asked],
  );
  return known;
};

interface KnownMessage {
  readonly message?: OutboxMessageDetail;
  readonly trouble?: string;
}

/**
 * A message of the outbox with this id, which stays the same. It is read again when the list shows a change: the server
 * also looks for the received email, which may be large. If it is not listed, it is read whenever the list is.
 */
export const useMessage = (id: string, { outbox, readAt }: KnownOutbox): KnownMessage => {
  const source = useSource();
  const [known, setKnown] = useState<KnownMessage>({});
  const run = useRef(createNewestQueue());
  const ending = useRef(new AbortController());
  useEffect(() => {
    ending.current = new AbortController();
    return () => ending.current.abort();
  }, []);
  const listed = outbox?.messages.find((message) => message.id === id);
  const version = listed === undefined || known.trouble !== undefined ? readAt : JSON.stringify(listed);
  useEffect(() => {
    const { signal } = ending.current;
    void run.current(() =>
      source.outboxMessage(id, signal).then(
        (message) => setKnown({ message }),
        (error: unknown) => setKnown((before) => ({ ...before, trouble: messageOf(error) })),
      ),
    );
  }, [source, id, version]);
  return known;
};
