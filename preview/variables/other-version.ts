import { useEffect } from "react";
import type { CompiledBodies, DeployedTemplate } from "../../src/preview/contract.js";
import { KeyedStore } from "../state/keyed-store.js";
import { useIsConnected, useSource } from "../state/data.js";
import type { Pane } from "../state/view.js";
import { useView } from "../state/view-store.js";

/** An environment's version, or what a commit's files compile to. */
export type OtherTemplate = DeployedTemplate | CompiledBodies;

export interface OtherVersion {
  /** The last version that was loaded. */
  readonly template?: OtherTemplate;
  /** A sentence about why no newer version could be loaded. */
  readonly trouble?: string;
}

const known = new KeyedStore<OtherVersion>();

/**
 * The view's template in the version that a pane shows, unless that is the project's own. It is loaded each time the
 * pane appears.
 */
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
    const request =
      deployedTo !== undefined
        ? source.deployed(template, deployedTo)
        : commit !== undefined && !known.get(key)?.template && source.committed(template, commit);
    if (!request) return;
    const answer = await request.then(
      (other: OtherTemplate) => ({ template: other }),
      (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
    );
    known.set(key, answer);
  };
  useEffect(() => {
    void read();
    // The key covers the template and its version.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, source, isConnected]);
  return { ...known.use(key), refresh: () => void read() };
}
