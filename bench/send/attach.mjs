// @ts-check
/*
 * A process that sends one message with a file, passed in one of several ways: `node attach.mjs WAY FILE URL`.
 * attachments.mjs measures its peak memory.
 */
import { createReadStream, openAsBlob, readFileSync } from "node:fs";
import path from "node:path";
import { createMailer } from "../../dist/send/index.js";

const [way = "", file = "", url = ""] = process.argv.slice(2);
const filename = path.basename(file);

/** @type {Record<string, () => import("../../dist/send/index.js").Attachment | Promise<import("../../dist/send/index.js").Attachment>>} */
const ways = {
  path: () => ({ path: file }),
  bytes: () => ({ filename, content: readFileSync(file) }),
  stream: () => ({ filename, content: createReadStream(file) }),
  blob: async () => ({ filename, content: await openAsBlob(file) }),
};
const attachment = await ways[way.replace("queued ", "")]?.();
const store = way.startsWith("queued ") ? { store: `${file}.db` } : {};
const mailer = createMailer({ url, domain: "example.com", apiKey: "key-of-the-benchmark", from: "shop", ...store });
const message = {
  to: "ada@example.com",
  subject: "Terms",
  text: "Attached.",
  attachments: attachment ? [attachment] : [],
};
if (way.startsWith("queued ")) {
  await mailer.queueMessage(message);
  const worker = mailer.work();
  await worker.idle();
  await worker.stop();
} else await mailer.sendMessage(message);
await mailer.close();
process.exit();
