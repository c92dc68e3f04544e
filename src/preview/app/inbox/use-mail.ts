import { useEffect, useState } from "react";
import type { MailDetail } from "../../contract.js";
import { useMails, useSource } from "../state/data.js";
import { isUnderWay } from "./words.js";

interface Asked {
  readonly id: string;
  readonly mail?: MailDetail;
  readonly trouble?: string;
}

/** What is still to happen to a mail is looked for as often. */
const pause = 3_000;

/** The mail of an id: the one before it stays until it is there. */
export const useMail = (id: string | undefined): Partial<Asked> & { readonly isPending: boolean } => {
  const source = useSource();
  const status = useMails().find((mail) => mail.id === id)?.status;
  const [asked, setAsked] = useState<Asked>();
  const shown = id === undefined ? undefined : asked;
  const isWaiting = shown?.id === id && shown?.mail !== undefined && isUnderWay(shown.mail.status);

  useEffect(() => {
    if (id === undefined) return undefined;
    let isGone = false;
    const ask = () =>
      source.mail(id).then(
        (mail) => isGone || setAsked({ id, mail }),
        (error: unknown) =>
          isGone ||
          setAsked((before) => ({
            // One that was listed and is not any longer was deleted.
            ...(before?.id === id && status !== undefined && before),
            id,
            trouble: error instanceof Error ? error.message : String(error),
          })),
      );
    void ask();
    const timer = isWaiting ? setInterval(() => void ask(), pause) : undefined;
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [source, id, status, isWaiting]);
  return { ...shown, isPending: id !== undefined && shown?.id !== id };
};
