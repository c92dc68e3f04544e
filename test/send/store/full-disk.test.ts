import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMailer, type Mailer, onSendEvent, SendError, StoreError } from "../../../src/send/index.js";
import { answerJson, rejection, serve } from "../../api/servers.js";
import { canMount, smallDisk } from "./small-disk.js";

let count = 0;
const message = () => ({ to: "ada@example.org", subject: "Hi", text: `Message ${(count += 1)}` });

/** A mailer whose store is on a small disk, and a service that accepts everything. */
async function open() {
  const disk = smallDisk();
  const service: { onSend?: "fill" | "fill and cut" } = {};
  const { url, seen } = await serve(({ method }, response) => {
    if (method === "POST" && service.onSend !== undefined) disk.fill();
    if (method === "POST" && service.onSend === "fill and cut") response.destroy();
    else answerJson(response, 200, { id: `${seen.length}.a`, message_id: `<${seen.length}@example.com>` });
  });
  const newMailer = (folder = disk.folder): Mailer<object> => {
    const mailer = createMailer({
      url,
      domain: "example.com",
      apiKey: "key-of-the-test",
      from: "shop",
      store: path.join(folder, "mail.db"),
      sendsPerMinute: Number.POSITIVE_INFINITY,
      maxWait: 500,
    });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  const failures: string[] = [];
  onTestFinished(onSendEvent((event) => event.type === "store-failed" && failures.push(event.reason)));
  return { disk, newMailer, service, failures, sends: () => seen.filter(({ method }) => method === "POST").length };
}

describe.skipIf(!canMount)("a store on a full disk (needs the right to mount one)", () => {
  test("makes send and queue throw a SendError, sends nothing, and answers the health check", async () => {
    const { disk, newMailer, sends } = await open();
    const mailer = newMailer();
    await mailer.queueMessage({ ...message(), key: "before" });
    disk.fill();
    for (const attempt of [() => mailer.sendMessage(message()), () => mailer.queueMessage(message())]) {
      const error = await rejection(attempt());
      expect(error).toBeInstanceOf(SendError);
      expect(error).toBeInstanceOf(StoreError);
      expect(error).toMatchObject({
        code: "store",
        message: expect.stringMatching(/^Can't use the mailer's store .*mail\.db: the disk is full\.$/),
        hint: expect.stringContaining("Free some space"),
      });
    }
    for (const each of [mailer, newMailer()])
      expect(await each.outbox.stats()).toMatchObject({ counts: { queued: 1 }, expectedWaitMs: { high: 0 } });
    expect(sends()).toBe(0);

    disk.clear();
    await mailer.sendMessage(message());
    expect(sends()).toBe(1);
    expect((await mailer.outbox.byKey("before"))?.state).toBe("queued");
  });

  test("counts an accepted message as sent although the store can't record it", async () => {
    const { newMailer, service, failures } = await open();
    service.onSend = "fill";
    expect(await newMailer().sendMessage(message())).toMatchObject({ outcome: "accepted" });
    expect(failures).toEqual([expect.stringContaining("the disk is full")]);
  });

  test("leaves what may have been sent unknown, instead of a store failure", async () => {
    const { newMailer, service } = await open();
    service.onSend = "fill and cut";
    expect(await rejection(newMailer().sendMessage(message()))).toMatchObject({ code: "unknown_outcome" });
  });

  test("answers the health check on a read-only disk", async () => {
    const { disk, newMailer, sends } = await open();
    await newMailer().queueMessage(message());
    const observer = newMailer(disk.readOnly());
    expect(await observer.outbox.stats()).toMatchObject({ counts: { queued: 1 }, expectedWaitMs: { high: 0 } });
    expect(await rejection(observer.sendMessage(message()))).toMatchObject({
      code: "store",
      message: expect.stringContaining("it is read-only"),
    });
    expect(sends()).toBe(0);
  });
});
