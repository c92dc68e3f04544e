import { useEffect } from "react";
import type { DeployedTemplate } from "../../contract.js";
import { KeyedStore } from "../variables/keyed-store.js";
import { useIsConnected, useSource } from "./data.js";
import { useView } from "./view-store.js";

export interface Deployed {
  /** As it was last read. */
  readonly template?: DeployedTemplate;
  /** Why there is no newer one, in a sentence. */
  readonly trouble?: string;
}

const known = new KeyedStore<Deployed>();

/** The view's template as an environment has it, read whenever it comes into sight. */
export function useDeployed(environment: string | undefined): Deployed & { readonly refresh: () => void } {
  const { template } = useView();
  const source = useSource();
  const isConnected = useIsConnected();
  const key = JSON.stringify([template, environment]);
  const read = async () => {
    if (template === undefined || environment === undefined) return;
    const answer = await source.deployed(template, environment).then(
      (deployed) => ({ template: deployed }),
      (error: unknown) => ({ trouble: error instanceof Error ? error.message : String(error) }),
    );
    known.set(key, answer);
  };
  useEffect(() => {
    void read();
    // The key stands for template and environment.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, source, isConnected]);
  return { ...known.use(key), refresh: () => void read() };
}
