import { useEffect, useState } from "react";
import type { MailDetail } from "../../src/preview/contract.js";
import { useMails, useSource } from "../state/data.js";
import { isUnderWay } from "./words.js";

interface Result {
  readonly id: string;
  readonly mail?: MailDetail;
  readonly trouble?: string;
}

/** Interval in ms at which an email is loaded again while delivery is under way. */
const pause = 3_000;

/** Loads the email with this id. The previous email stays until it has loaded. */
export const useMail = (id: string | undefined): Partial<Result> & { readonly isPending: boolean } => {
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
