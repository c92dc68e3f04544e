import { useEffect, useRef, useState } from "react";
import type { RemoteReport } from "../../contract.js";
import { useSource, useSummary, useVersion } from "../state/data.js";

interface Asked {
  /** Of the template, when that was asked. */
  readonly version: string;
  readonly reports?: readonly RemoteReport[];
  readonly trouble?: string;
  readonly isAsking: boolean;
}

export interface Remote extends Omit<Asked, "version"> {
  /** Whether the template was saved since the environments answered, or the preview started again. */
  readonly isOld: boolean;
  readonly ask: () => void;
}

/** What the environments have of the view's template: asked for once, and whenever somebody wants to know. */
export const useRemote = (): Remote => {
  const name = useSummary()?.name;
  const version = useVersion(name);
  const source = useSource();
  const [asked, setAsked] = useState<Asked>({ version, isAsking: true });
  const times = useRef(0);
  const ask = async () => {
    if (name === undefined) return;
    const time = ++times.current;
    setAsked((before) => ({ ...before, isAsking: true }));
    const answer = await source.remote(name).then(
      (reports) => ({ reports }),
      (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
    );
    // A later question was asked meanwhile, or nobody waits any more.
    if (time === times.current) setAsked({ version, isAsking: false, ...answer });
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
  const { version: before, ...others } = asked;
  return { ...others, isOld: before !== version, ask: () => void ask() };
};
