import { useEffect } from "react";
import type { CompiledBodies, DeployedTemplate } from "../../contract.js";
import { KeyedStore } from "../variables/keyed-store.js";
import { useIsConnected, useSource } from "./data.js";
import type { Pane } from "./view.js";
import { useView } from "./view-store.js";

/** What an environment has, or what a commit's files compile to. */
export type OtherTemplate = DeployedTemplate | CompiledBodies;

export interface OtherVersion {
  /** As it was last read. */
  readonly template?: OtherTemplate;
  /** Why there is no newer one, in a sentence. */
  readonly trouble?: string;
}

const known = new KeyedStore<OtherVersion>();

/** The view's template in a pane's version, where that is not the project's own: read whenever it comes into sight. */
export function useOtherVersion({
  deployedTo,
  commit,
}: Pick<Pane, "deployedTo" | "commit">): OtherVersion & { readonly refresh: () => void } {
  const { template } = useView();
  const source = useSource();
  const isConnected = useIsConnected();
  const key = JSON.stringify([template, deployedTo, commit]);
  const read = async () => {
    if (template === undefined) return;
    const asked =
      deployedTo !== undefined
        ? source.deployed(template, deployedTo)
        : commit !== undefined && !known.get(key)?.template && source.committed(template, commit);
    if (!asked) return;
    const answer = await asked.then(
      (other: OtherTemplate) => ({ template: other }),
      (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
    );
    known.set(key, answer);
  };
  useEffect(() => {
    void read();
    // The key stands for the template and its version.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, source, isConnected]);
  return { ...known.use(key), refresh: () => void read() };
}
