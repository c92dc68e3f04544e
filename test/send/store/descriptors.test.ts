import { readdirSync, readlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createMailer } from "../../../src/send/index.js";
import { answerJson, serve } from "../../api/servers.js";
import { temporaryFolder } from "../outbox/open.js";

/** The files in a folder that this process has open. */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd")
    .map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        // It belonged to the listing itself.
        return "";
      }
    })
    .filter((file) => file.startsWith(folder));
}

test.skipIf(process.platform !== "linux")("leaves no file of its store open when a mailer is closed", async () => {
  const { url } = await serve((_, response) => answerJson(response, 200, { id: "1.a", message_id: "<1@example.com>" }));
  const folder = temporaryFolder();
  for (let number = 0; number < 20; number += 1) {
    const mailer = createMailer({
      url,
      domain: "example.com",
      apiKey: "key-of-the-test",
      from: "shop",
      store: path.join(folder, `it's ${number}.db`),
      sendsPerMinute: Number.POSITIVE_INFINITY,
    });
    await mailer.queueMessage({ to: "ada@example.org", subject: "Hi", text: "Hi" });
    const worker = mailer.work();
    await worker.idle();
    await mailer.sendMessage({ to: "bob@example.org", subject: "Hi", text: "Hi" });
    expect((await mailer.outbox.stats()).counts.accepted).toBe(1);
    expect(openIn(folder)).toHaveLength(3);
    await mailer.close();
    expect(openIn(folder)).toEqual([]);
  }
  // The write-ahead logs are gone too.
  expect(readdirSync(folder).filter((name) => !name.endsWith(".db"))).toEqual([]);
});
