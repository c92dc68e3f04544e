import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/client.js";
import { type RunningService, startService } from "../../src/service/index.js";

export const domain = "example.test";

export interface SyncService {
  readonly url: string;
  /** Environment variables to reach it as the environment `staging`. */
  readonly env: Readonly<Record<string, string>>;
  readonly client: Client;
  readonly settings: RunningService["settings"];
  readonly faults: RunningService["faults"];
  /** Edits a template like a user of the dashboard. */
  readonly edit: (name: string, changes: Parameters<Client["templates"]["update"]>[2]) => Promise<void>;
  /** The stored templates by name. */
  readonly stored: () => Promise<Record<string, Awaited<ReturnType<Client["templates"]["get"]>>>>;
}

/** A local service for the test, used like a real service. */
export async function syncService(): Promise<SyncService> {
  const service = await startService({ data: ":memory:", port: 0 });
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return {
    url: service.url,
    env: { LETTERSHOP_ENV: "staging", LETTERSHOP_API_KEY: service.apiKey },
    client,
    settings: service.settings,
    faults: service.faults,
    edit: async (name, changes) => void (await client.templates.update(domain, name, changes)),
    async stored() {
      const names = (await client.templates.list(domain)).map(({ name }) => name);
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await client.templates.get(domain, name)] as const)),
      );
    },
  };
}

/** A configuration file with environments on one service. */
export function environments(
  url: string,
  others: Readonly<Record<string, object>> = {},
  more: object = {},
): Record<string, string> {
  const all = Object.fromEntries(
    Object.entries({ staging: {}, ...others }).map(([name, each]) => [name, { url, domain, ...each }]),
  );
  return { "lettershop.config.json": JSON.stringify({ environments: all, ...more }) };
}
