import { expect, test } from "vitest";
import { startApi, temporaryFolder } from "../harness.js";
import { receiver } from "../webhook-receiver.js";
import { firstCourse, rawClient, webhook } from "./smtp.js";

test.each([
  ["p%40ss%3Aw%2Ford", "p@ss:w/ord"],
  ["50%zz", "50%zz"],
])("the password %s is sent as %s", async (password, meant) => {
  const { posts, host } = await webhook();
  const aliases = [{ alias: "in", forward: `http://webhook-user:${password}@${host}/` }];
  const api = await startApi({ seed: { domains: [{ name: "example.test", aliases }] } });
  await api.service.receive({ from: "bob@shop.example", to: "in@example.test" });
  await expect.poll(() => posts.length).toBe(1);
  const [, base64 = ""] = `${posts[0]?.headers["authorization"]}`.split(" ");
  expect(Buffer.from(base64, "base64").toString()).toBe(`webhook-user:${meant}`);
  expect(posts[0]?.text).not.toContain("webhook-user");
});

const SECRETS = /hunter2|swordfish|aHVudGVyMg|c3dvcmRmaXNo/;

test("passwords of webhooks are in no log, error or page, however the posts end", async () => {
  const { posts, host } = await webhook((count) => [200, 404, 500, 302][count % 4] ?? 200);
  const own = await receiver(() => 500);
  const errors: Error[] = [];
  const forward = [
    `http://ada:hunter2@${host}/`,
    "http://ada:hunter2@127.0.0.1:9/down",
    "hard-bounce@example.com",
  ].join(",");
  const api = await startApi({
    data: await temporaryFolder(),
    onError: (error) => void errors.push(error),
    seed: {
      domains: [
        {
          name: "example.test",
          webhook: own.url.replace("//", "//eve:swordfish@"),
          aliases: [{ alias: "in", forward }],
        },
      ],
    },
  });
  for (let count = 0; count < 4; count += 1)
    await api.service.receive({ from: "bob@shop.example", to: "in@example.test", subject: "hunter" });
  await expect.poll(() => posts.length).toBe(4);
  await expect.poll(() => firstCourse(api)).toHaveLength(4);
  await expect.poll(() => api.service.mail.total("forwarded")).toBeGreaterThanOrEqual(4);
  await expect.poll(() => own.got.length).toBeGreaterThan(0);

  const { send } = await rawClient(api.service.smtpPort);
  const seen = [
    ...(await send("EHLO c.example\r\nMAIL FROM:<b@c.example>\r\nRCPT TO:<in@example.test>\r\n", 3)),
    JSON.stringify(own.got),
    ...errors.map((error) => `${error.message} ${error.stack} ${String(error.cause)}`),
  ];
  for (const path of [
    "/v4/domains/example.test/logs",
    "/v4/domains/example.test/logs/search?query=hunter",
    "/v4/domains/example.test/logs?forward=hunter2",
    "/v3/domains/example.test/logs",
    "/v3/domains/example.test/logs/in",
    "/local/mails?newest=200",
    "/local/mails?newest=200&folder=forwarded",
    "/local/settings",
    "/",
  ])
    seen.push((await api.request(path, { headers: { authorization: `Basic ${btoa("api:local")}` } })).text);
  for (const { id } of api.service.mail.list({ folder: "forwarded" })) {
    seen.push((await api.request(`/local/mails/${id}`)).text);
    seen.push(Buffer.from((await api.service.mail.open(id))?.source ?? "").toString());
  }
  expect(seen.filter((text) => SECRETS.test(text))).toEqual([]);
});

test.each([
  "ftp://ada:hunter2@example.com/",
  "ada:hunter2@example.com/path",
  "https://ada:hunter2@exa mple.com/",
  "http://ada:hunter2@:99999/",
])("an invalid destination is refused without its password: %s", async (forward) => {
  const api = await startApi();
  const aliases = await api.post("/domains/example.test/aliases", { alias: "in", forward });
  const rule = { type: "alias", config: { alias: "in", forward } };
  const rules = await api.post("/domains/example.test/rules", rule);
  const webhooks = await api.request("/v3/domains/example.test", {
    method: "PUT",
    headers: { authorization: `Basic ${btoa("api:local")}`, "content-type": "application/json" },
    body: JSON.stringify({ webhook: forward }),
  });
  for (const { status, text } of [aliases, rules, webhooks]) {
    expect(status).toBe(400);
    expect(text).not.toMatch(SECRETS);
  }
});
