import { expect, test } from "vitest";
import type { CapturedMail } from "../../src/service/index.js";
import { type Api, refusal, startApi } from "./harness.js";

const send = (api: Api, body: Record<string, unknown> = {}) =>
  api.post("/domains/example.test/emails/outbound", {
    from: "a",
    to: "ada@example.com",
    subject: "s",
    text: "t",
    ...body,
  });

async function mails(api: Api, query: string): Promise<{ mails: CapturedMail[]; last: number }> {
  return JSON.parse((await api.request(`/local/mails?${query}`)).text);
}

test("the newest mails come newest first, as many as are asked for", async () => {
  const api = await startApi();
  for (const subject of ["1", "2", "3"]) await send(api, { subject });
  const { mails: newest, last } = await mails(api, "newest=2");
  expect(newest.map(({ subject }) => subject)).toEqual(["3", "2"]);
  expect(last).toBe(newest[0]?.seq);
  expect(refusal(await api.request("/local/mails?newest=0")).fields).toEqual(["newest"]);
  expect(refusal(await api.request("/local/mails?after=0&wait=60000")).fields).toEqual(["wait"]);
});

test("an answer waits for the next mail, and for one to the right address", async () => {
  const api = await startApi();
  const any = mails(api, "after=0&wait=30000");
  const toGrace = mails(api, "after=0&wait=30000&to=GRACE@example.com");
  await send(api);
  expect((await any).mails).toMatchObject([{ subject: "s" }]);
  await send(api, { to: "grace@example.com", subject: "for her" });
  expect((await toGrace).mails).toMatchObject([{ subject: "for her" }]);
  const { last } = await mails(api, "");
  expect(await mails(api, `after=${last}&wait=1`)).toEqual({ mails: [], last });
});

test("who waits keeps the service from nothing: it ends at once", async () => {
  const api = await startApi();
  const waiting = mails(api, "after=0&wait=30000");
  await mails(api, "");
  const asked = performance.now();
  await api.service.close();
  expect(performance.now() - asked).toBeLessThan(20_000);
  expect(await waiting).toEqual({ mails: [], last: 0 });
});

test("a mail is told whole but for its source and its files, with the template that it was made from", async () => {
  const api = await startApi();
  await api.post("/domains/example.test/templates", {
    name: "hello",
    subject: "Hello {{name}}",
    html_body: "<p>{{name}}</p>",
  });
  const attachments = [{ filename: "a.txt", content: btoa("Hello") }];
  const made = await send(api, {
    template: "hello",
    variables: { name: "Ada", list: [1] },
    attachments,
    subject: undefined,
    text: undefined,
  });
  const { id } = JSON.parse(made.text);
  expect(JSON.parse((await api.request(`/local/mails/${id}`)).text)).toMatchObject({
    id,
    subject: "Hello Ada",
    html: "<p>Ada</p>",
    to: [{ email: "ada@example.com", name: null }],
    attachments: [{ filename: "a.txt", contentType: "text/plain", bytes: 5 }],
    madeFrom: { template: "hello", variables: { name: "Ada", list: [1] } },
    recipients: [{ email: "ada@example.com", status: "DELIVERED" }],
  });
  const plain = JSON.parse((await send(api)).text);
  expect(JSON.parse((await api.request(`/local/mails/${plain.id}`)).text)).not.toHaveProperty("madeFrom");
  expect((await api.request("/local/mails/1.none")).status).toBe(404);
});
