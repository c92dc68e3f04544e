import { resolveEnvironment } from "../../project/environment.js";
import { systemClock } from "../../send/clock.js";
import type { Courier } from "../../send/delivery/courier.js";
import { createOutbox, type OutboxOperations } from "../../send/outbox/outbox.js";
import { targetOf } from "../../send/parcel.js";
import { SENDS_PER_MINUTE } from "../../api/limits.js";
import type { CommandInput, Flags } from "../command.js";
import type { OutboxMailStore } from "./open-store.js";

/** The queued messages for one service and domain. */
export interface Box extends OutboxOperations {
  /** `https://api.example.com example.com` */
  readonly target: string;
}

/** The command never sends: the application's worker does, with its key. */
const noCourier: Courier = {
  deliver: () => Promise.reject(new Error("the command does not send")),
  reconcile: () => Promise.reject(new Error("the command does not send")),
  close: async () => undefined,
};

type BoxesInput = Pick<CommandInput<Flags>, "flags" | "signal" | "withKeylessProject">;

/** A store's messages by service and domain; with `--env`, only one environment's. Needs no key. */
export async function openBoxes(store: OutboxMailStore, input: BoxesInput): Promise<readonly Box[]> {
  const targets =
    input.flags.env === undefined ? await store.outbox.targets() : [await targetOfEnvironment(input.flags.env, input)];
  return targets.map((target) => boxOf(store, target));
}

function boxOf({ outbox: store }: OutboxMailStore, target: string): Box {
  const [url = "", domain = ""] = target.split(" ");
  const outbox = createOutbox({
    store,
    url,
    domain,
    courier: noCourier,
    // The remaining requests of this minute are only known with a key.
    pace: { expectedWait: () => 0 },
    clock: systemClock,
    publish: () => undefined,
    sendsPerMinute: SENDS_PER_MINUTE,
  });
  return { ...outbox, target };
}

async function targetOfEnvironment(name: string, { flags, signal, withKeylessProject }: BoxesInput): Promise<string> {
  return withKeylessProject(flags, signal, async ({ project: { environments, folder } }) => {
    const environment = resolveEnvironment({
      caller: "command",
      name,
      environments,
      cwd: folder,
      options: { apiKey: "not needed", allowInsecure: true },
    });
    return targetOf(environment.url, environment.domain);
  });
}
