import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createMailer, type Mailer, onSendEvent } from "../../../src/send/index.js";
import { rejection } from "../../api/servers.js";
import { temporaryFolder } from "../outbox/open.js";
import { aService, subjectsAt } from "../outbox/route.js";

/** A store in its own folder, next to a service. */
async function open() {
  const service = await aService();
  const { url, apiKey, domain } = service;
  const folder = path.join(temporaryFolder(), "data");
  const newMailer = (): Mailer<object> => {
    const mailer = createMailer({
      url,
      apiKey,
      domain,
      from: "shop",
      store: path.join(folder, "mail.db"),
      sendsPerMinute: Number.POSITIVE_INFINITY,
      reconcile: { logDelayMs: 200 },
      outbox: { lease: "1s" },
    });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  return {
    folder,
    file: path.join(folder, "mail.db"),
    newMailer,
    service,
    subjects: () => subjectsAt(service).toSorted(),
  };
}

const message = (subject: string) => ({ to: "ada@example.org", subject, text: "Hi" });

const happenings: readonly (readonly [string, RegExp, (file: string) => void])[] = [
  ["deleted", /was moved or deleted/, (file) => rmSync(file)],
  ["moved", /was moved or deleted/, (file) => renameSync(file, `${file}.old`)],
  [
    "replaced",
    /was replaced by another file/,
    (file) => {
      writeFileSync(`${file}.new`, "");
      renameSync(`${file}.new`, file);
    },
  ],
  ["left without its write-ahead log", /was moved or deleted/, (file) => rmSync(`${file}-wal`)],
];

// Windows does not allow deleting or moving an open file.
test.skipIf(process.platform === "win32").each(happenings)(
  "refuses everything, and says so, when a store was %s while a mailer used it",
  async (_, says, happen) => {
    const { file, newMailer, subjects } = await open();
    const mailer = newMailer();
    await mailer.sendMessage(message("before"));
    happen(file);
    const attempts = [
      () => mailer.sendMessage(message("after")),
      () => mailer.queueMessage(message("after")),
      () => mailer.outbox.stats(),
      () => mailer.suppressions.add("bob@example.org"),
    ];
    for (const attempt of attempts)
      expect(await rejection(attempt())).toMatchObject({
        code: "store",
        message: expect.stringMatching(says),
        hint: expect.stringMatching(/^Restart the process/),
      });
    expect(subjects()).toEqual(["before"]);
  },
);

test.skipIf(process.platform === "win32")("loses nothing and sends nothing twice when a store was moved", async () => {
  const { folder, newMailer, service, subjects } = await open();
  const troubles: string[] = [];
  onTestFinished(onSendEvent((event) => event.type === "outbox-trouble" && troubles.push(event.reason)));
  const mailer = newMailer();
  service.faults.add({ kind: "delay", endpoint: "emails.send", milliseconds: 1_000 });
  await mailer.queueMessage(message("under way"));
  const worker = mailer.work({ concurrency: 1 });
  await expect.poll(() => service.faults.list()).toEqual([]);
  await mailer.queueMessage(message("queued"));

  const aside = `${folder} aside`;
  renameSync(folder, aside);
  mkdirSync(folder);
  await expect.poll(() => troubles.join()).toContain("was moved or deleted");
  await worker.stop();
  await mailer.close();
  expect(subjects()).toEqual(["under way"]);

  // The new process has a separate store; when the old one is back, its messages continue.
  const later = newMailer();
  await later.sendMessage(message("later"));
  await later.close();
  rmSync(folder, { recursive: true });
  renameSync(aside, folder);
  const last = newMailer();
  last.work();
  const counts = async () => (await last.outbox.stats()).counts;
  await expect.poll(counts).toMatchObject({ queued: 0, sending: 0, accepted: 2 });
  expect(subjects()).toEqual(["later", "queued", "under way"]);
});
