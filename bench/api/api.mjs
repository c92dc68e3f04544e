// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { benchClient } from "./client.mjs";
import { startServer } from "./process.mjs";
import { benchRequests } from "./requests.mjs";
import { benchSearch } from "./search.mjs";

/** Measures the client and the local service. @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchApi(options) {
  const ofClient = await benchClient(options);
  const data = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  try {
    const [service, bare] = await Promise.all([
      startServer(new URL("./service.mjs", import.meta.url), data),
      startServer(new URL("./bare.mjs", import.meta.url)),
    ]);
    try {
      return [...ofClient, ...(await benchRequests(service, bare, options)), ...(await benchSearch(options))];
    } finally {
      await Promise.all([service.close(), bare.close()]);
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}
