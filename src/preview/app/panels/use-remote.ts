import { useEffect, useRef, useState } from "react";
import type { RemoteReport } from "../../contract.js";
import { useSource, useSummary } from "../state/data.js";

interface Asked {
  /** Of the template, when that was asked. */
  readonly revision: number | undefined;
  readonly reports?: readonly RemoteReport[];
  readonly trouble?: string;
  readonly isAsking: boolean;
}

export interface Remote extends Omit<Asked, "revision"> {
  /** Whether the template was saved since the environments answered. */
  readonly isOld: boolean;
  readonly ask: () => void;
}

/** What the environments have of the view's template: asked for once, and whenever somebody wants to know. */
export const useRemote = (): Remote => {
  const { name, revision } = useSummary() ?? {};
  const source = useSource();
  const [asked, setAsked] = useState<Asked>({ revision, isAsking: true });
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
    if (time === times.current) setAsked({ revision, isAsking: false, ...answer });
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
  const { revision: before, ...others } = asked;
  return { ...others, isOld: before !== revision, ask: () => void ask() };
};
