import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startApi, temporaryFolder } from "../harness.js";
import { startProcess } from "../processes.js";
import { logOf, sendTo, webhook } from "./smtp.js";

const ROUNDS = process.env["MODE"] === "long" ? 100 : 6;

async function smtpPortIn(data: string): Promise<number> {
  return JSON.parse(await readFile(join(data, "service.json"), "utf8")).smtpPort;
}

test(
  `every accepted email reaches every destination although the service is killed ${ROUNDS} times`,
  { timeout: 600_000 },
  async () => {
    const data = await temporaryFolder();
    const { posts, host } = await webhook();
    const forward = `ada@example.com, http://${host}/`;
    await (
      await startApi({ data, seed: { domains: [{ name: "example.test", aliases: [{ alias: "*", forward }] }] } })
    ).service.close();

    const accepted: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await startProcess(data);
      const smtpPort = await smtpPortIn(data);
      const killed = new AbortController();
      const clients = Array.from({ length: 4 }, async (_, client) => {
        for (let number = 0; !killed.signal.aborted; number += 1) {
          const subject = `${round}-${client}-${number}`;
          if ((await sendTo(smtpPort, { to: "a@example.test", subject })).startsWith("250")) accepted.push(subject);
        }
      });
      // Somewhere between the first acceptance and the last delivery.
      const before = accepted.length;
      await expect.poll(() => accepted.length, { interval: 1, timeout: 20_000 }).toBeGreaterThan(before + (round % 7));
      await service.kill("SIGKILL");
      killed.abort();
      await Promise.all(clients);
    }

    const api = await startApi({ data });
    const subjectsAt = () => new Set(posts.map(({ body }) => body.subject));
    await expect.poll(() => accepted.filter((subject) => !subjectsAt().has(subject)), { timeout: 60_000 }).toEqual([]);
    await expect
      .poll(async () => (await logOf(api, "&limit=200&status=QUEUED")).length, { timeout: 10_000 })
      .toBeGreaterThan(0);
    const captured: string[] = [];
    for (let before: number | undefined; ;) {
      const page = api.service.mail.list({ folder: "forwarded", limit: 200, ...(before !== undefined && { before }) });
      captured.push(...page.map(({ subject }) => subject));
      before = page.at(-1)?.seq;
      if (before === undefined) break;
    }
    expect(captured.length).toBe(new Set(captured).size);
    expect(accepted.filter((subject) => !captured.includes(subject))).toEqual([]);
  },
);
