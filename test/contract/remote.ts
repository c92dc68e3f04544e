import { setTimeout as sleep } from "node:timers/promises";
import { createApi } from "./api.js";
import type { Exchange } from "./inventory.js";
import type { Account, World } from "./world.js";

/** Environment variables with a real account. Only data in the domains named here is destroyed. */
const VARIABLES = {
  url: "LETTERSHOP_CONTRACT_URL",
  apiKey: "LETTERSHOP_CONTRACT_API_KEY",
  domain: "LETTERSHOP_CONTRACT_DOMAIN",
  recipient: "LETTERSHOP_CONTRACT_RECIPIENT",
  freeApiKey: "LETTERSHOP_CONTRACT_FREE_API_KEY",
  freeDomain: "LETTERSHOP_CONTRACT_FREE_DOMAIN",
  unready: "LETTERSHOP_CONTRACT_UNREADY_DOMAIN",
  newDomain: "LETTERSHOP_CONTRACT_NEW_DOMAIN",
} as const;

/** Without these variables, nothing runs against a real account. */
export const REQUIRED = [VARIABLES.url, VARIABLES.apiKey, VARIABLES.domain] as const;

/** Why the suite does not run against a real account. Undefined if it does. */
export function reasonAgainstRemote(): string | undefined {
  const missing = REQUIRED.filter((name) => !process.env[name]);
  return missing.length === 0 ? undefined : `${missing.join(", ")} not set`;
}

/** A real account. Its domain is emptied first. */
export async function remoteWorld(
  record: (exchange: Exchange) => void,
  skip: (reason: string) => never,
): Promise<World> {
  const need = (variable: string) => process.env[variable] || skip(`${variable} is not set`);
  const url = need(VARIABLES.url).replace(/\/+$/, "");
  const wait = async (seconds: number) => await sleep(seconds * 1_000);
  const account = (apiKey: string, domain: string): Account => {
    const access = { url, apiKey, domain, record, wait };
    const [v3, v4] = [createApi("v3", access), createApi("v4", access)];
    return { domain, v3, v4, both: [v3, v4] };
  };
  const own = account(need(VARIABLES.apiKey), need(VARIABLES.domain));
  await empty(own);
  return {
    ...own,
    recipient(tag) {
      const [local, host] = need(VARIABLES.recipient).split("@");
      return `${local}+${tag}@${host}`;
    },
    wait,
    get free() {
      return account(need(VARIABLES.freeApiKey), need(VARIABLES.freeDomain));
    },
    get unready() {
      return need(VARIABLES.unready);
    },
    get newDomain() {
      return need(VARIABLES.newDomain);
    },
    stranger: account("wrong", own.domain),
    get local() {
      return skip("a real account has no clock to advance and no faults to inject");
    },
  };
}

/** Deletes what an earlier sentence left in the domain. */
async function empty({ v4 }: Account): Promise<void> {
  const all = { all: "true" };
  await v4("DELETE /domains/:domain/aliases", { query: all });
  await v4("DELETE /domains/:domain/rules", { query: all });
  const { templates } = await v4("GET /domains/:domain/templates");
  for (const { name } of templates) await v4("DELETE /domains/:domain/templates/:name", { name });
  const { credentials } = await v4("GET /domains/:domain/credentials", { query: { limit: 200 } });
  for (const { username } of credentials) await v4("DELETE /domains/:domain/credentials/:username", { username });
}
