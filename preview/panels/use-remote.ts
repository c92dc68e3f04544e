import { useEffect, useRef, useState } from "react";
import type { RemoteReport } from "../../src/preview/contract.js";
import { useSource, useSummary, useVersion } from "../state/data.js";

interface Answer {
  /** The template's version at the time of the request. */
  readonly version: string;
  readonly reports?: readonly RemoteReport[];
  readonly trouble?: string;
  readonly isAsking: boolean;
}

export interface Remote extends Omit<Answer, "version"> {
  /** Whether the template was saved or the preview restarted after the environments answered. */
  readonly isOld: boolean;
  readonly ask: () => void;
}

/** The state of the view's template in each environment: requested once, and again on demand. */
export const useRemote = (): Remote => {
  const name = useSummary()?.name;
  const version = useVersion(name);
  const source = useSource();
  const [answer, setAnswer] = useState<Answer>({ version, isAsking: true });
  const times = useRef(0);
  const ask = async () => {
    if (name === undefined) return;
    const time = ++times.current;
    setAnswer((before) => ({ ...before, isAsking: true }));
    const result = await source.remote(name).then(
      (reports) => ({ reports }),
      (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
    );
    // Ignored after a later request, or when the view has changed.
    if (time === times.current) setAnswer({ version, isAsking: false, ...result });
  };
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    void latest.current();
    return () => {
      times.current += 1;
    };
  }, [name, source]);
  const { version: before, ...others } = answer;
  return { ...others, isOld: before !== version, ask: () => void ask() };
};
