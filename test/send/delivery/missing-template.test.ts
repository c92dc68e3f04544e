import { expect, onTestFinished, test } from "vitest";
import { createMailer } from "../../../src/send/index.js";
import { startService } from "../../../src/service/index.js";
import { answerJson, rejection, serve } from "../../api/servers.js";
import { makeFolder } from "../../process/folder.js";
import { registryOf } from "../registry.js";

const order = { number: "7", total: 12.5 };
const to = "ada@example.org";

async function service() {
  const running = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => running.close());
  return running;
}

test.each([
  ["v4", "local", "", "local"],
  ["v4", "production", "", "production"],
  ["v3", "production", "", "production"],
  ["v4", "staging", "stg-", "staging"],
] as const)(
  "version %s, %s: names the command that uploads a missing template",
  async (version, name, namePrefix, env) => {
    const { url, domain, apiKey } = await service();
    const environments = { [name]: { url, domain, version, keyVariable: "MAIL_KEY", namePrefix } };
    const templates = registryOf(name === "local" ? {} : environments);
    const mailer = createMailer({ templates, environment: name, url, domain, apiKey, from: "shop" });
    onTestFinished(() => mailer.close());
    expect(await rejection(mailer.send("receipt", { order }, { to }))).toMatchObject({
      code: "rejected",
      status: 404,
      hint: `The template "${namePrefix}receipt" is not on the service. Run: templates sync --env ${env}`,
    });
  },
);

test("omits the flag for an environment without a name, and keeps the hint in a queued message's reason", async () => {
  const { url, domain, apiKey } = await service();
  const store = `${await makeFolder()}/mail.db`;
  const mailer = createMailer({ templates: registryOf(), url, domain, apiKey, from: "shop", store });
  onTestFinished(() => mailer.close());
  const { id } = await mailer.queue("receipt", { order }, { to });
  await mailer.work().idle();
  const hint = /\. The template "receipt" is not on the service\. Run: templates sync$/;
  expect(await mailer.outbox.get(id)).toMatchObject({ state: "rejected", reason: expect.stringMatching(hint) });
});

test.each([
  [404, "Template not found", true],
  [404, "Not Found", true],
  [404, "Domain does not exist", false],
  [400, "Template has malformed Mustache", false],
])("a %i with %j: %s", async (status, message, isHinted) => {
  const { url } = await serve((_, response) => answerJson(response, status, { message, errors: {} }));
  const mailer = createMailer({
    templates: registryOf(),
    url,
    domain: "example.com",
    apiKey: "key-of-the-test",
    from: "shop",
  });
  onTestFinished(() => mailer.close());
  const error = await rejection(mailer.send("receipt", { order }, { to }));
  const hint = isHinted ? expect.stringContaining("Run: templates sync") : undefined;
  expect(error).toMatchObject({ code: "rejected", status, serviceMessage: message, hint });
  const plain = await rejection(mailer.sendMessage({ to, subject: "Hi", text: "Hi" }));
  expect(plain).toMatchObject({ status, hint: undefined });
});
