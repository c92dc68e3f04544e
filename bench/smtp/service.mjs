// @ts-check
/* The local service on a data folder; smtp.mjs runs it in a separate process. It reports when all is forwarded. */
import { startService } from "../../dist/service/index.js";
import { seed } from "./account.mjs";

const service = await startService({
  data: process.argv[2] ?? "",
  port: 0,
  limits: false,
  ownProcess: true,
  seed,
});
process.on("message", (count) => void reportForwarded(Number(count)));

/** @param {number} count */
async function reportForwarded(count) {
  const { signal } = new AbortController();
  while (service.mail.total("forwarded") < count) await service.mail.next(signal);
  process.send?.(count);
}

process.on("disconnect", () => void service.close().then(() => process.exit()));
process.send?.(`smtp://127.0.0.1:${service.smtpPort}`);
