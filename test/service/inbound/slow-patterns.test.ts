import { expect, test } from "vitest";
import type { Seed } from "../../../src/service/index.js";
import { startApi, temporaryFolder } from "../harness.js";
import { course, forwardedTo, logOf, rawClient, sendTo } from "./smtp.js";

/** Takes a hundred times as long as a pattern may, for a body of some thousand characters. */
const SLOW = 'body.split("").all(x, body.split("").all(y, x + y != "q"))';
const LONG = "x".repeat(5_000);

const cel = (expression: string) => ({ type: "cel" as const, config: { expression, forward: "ada@example.com" } });

const withRules = (...rules: ReturnType<typeof cel>[]): Seed => ({
  domains: [{ name: "example.test", routingEngine: "rules", rules }],
});

test("a slow rule holds up other domains' emails by one evaluation, however many emails meet it", async () => {
  const { service } = await startApi({
    seed: {
      domains: [
        { name: "slow.test", routingEngine: "rules", rules: [cel(SLOW)] },
        { name: "example.test", routingEngine: "rules", rules: [cel('subject == "Hi"')] },
      ],
    },
  });
  let answered = 0;
  const slow = Array.from({ length: 3 }, async () => {
    const response = await sendTo(service.smtpPort, { to: "a@slow.test", text: LONG });
    answered += 1;
    return response;
  });
  // All of them have arrived by the time that the first is answered.
  await Promise.race(slow);
  expect(await sendTo(service.smtpPort, { to: "a@example.test" })).toMatch(/^250/);
  expect(answered).toBeLessThan(3);
  for (const response of await Promise.all(slow)) expect(response).toMatch(/^451 4\.3\.0 .+ takes more than 1000 ms/);
});

test.concurrent("an email that meets a slow rule is accepted once the rule is corrected", async (context) => {
  const api = await startApi({ seed: withRules(cel(SLOW)) }, context.onTestFinished);
  const send = () => sendTo(api.service.smtpPort, { to: "a@example.test", text: LONG });
  expect(await send()).toMatch(/^451/);
  const { rules } = JSON.parse((await api.get("/domains/example.test/rules")).text);
  const { config } = cel('body.contains("x")');
  expect((await api.put(`/domains/example.test/rules/${rules[0].id}`, { config })).status).toBe(200);
  expect(await send()).toMatch(/^250/);
  expect(forwardedTo(api.service.mail)).toEqual(["ada@example.com"]);
  expect((await logOf(api)).map(course)).toEqual([["REFUSED 451"], ["QUEUED 250", "DELIVERED 250"]]);
});

test.concurrent("an email that one recipient refuses for good and another for now is refused for now", async (context) => {
  const domains = [
    { name: "example.test", routingEngine: "rules" },
    { name: "slow.test", routingEngine: "rules", rules: [cel(SLOW)] },
  ] as const;
  const { service } = await startApi({ seed: { domains } }, context.onTestFinished);
  expect(await sendTo(service.smtpPort, { to: ["a@example.test", "a@slow.test"], text: LONG })).toMatch(/^451/);
});

test.concurrent("a rule after a slow one is still tried, and the log names the slow one", async (context) => {
  const api = await startApi({ seed: withRules(cel(SLOW), cel("true")) }, context.onTestFinished);
  expect(await sendTo(api.service.smtpPort, { to: "a@example.test", text: LONG })).toMatch(/^250/);
  const [entry] = await logOf(api);
  expect(entry?.events[0]?.message).toMatch(
    /^2\.0\.0 Queued by rule 2 \(true\) \(rule 1 failed: .*takes more than 1000 ms.*\) for 1 destination$/,
  );
});

test.concurrent("an email is refused if its domain is deleted while its rules are tried", async (context) => {
  const api = await startApi({ seed: withRules(cel(SLOW), cel("true")) }, context.onTestFinished);
  const sent = sendTo(api.service.smtpPort, { to: "a@example.test", text: LONG });
  // The first rule takes a second. On a busy machine, the email may not have arrived yet, or not be read.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect((await api.delete("/domains/example.test")).status).toBe(204);
  expect(await sent).toMatch(/^550/);
});

test.runIf(process.env["MODE"] === "long")("all recipients of an email share its time", async () => {
  const api = await startApi({ seed: withRules(cel(SLOW)) });
  const to = Array.from({ length: 8 }, (_, number) => `a${number}@example.test`);
  expect(await sendTo(api.service.smtpPort, { to, text: LONG })).toMatch(/^451/);
  const reasons = (await logOf(api)).map(({ events: [refused] }) => refused?.message);
  expect(reasons).toHaveLength(8);
  expect(reasons[0]).toContain("takes more than 1000 ms");
  expect(reasons.at(-1)).toContain("earlier patterns have used up the 5 s that an email may take");
});

test("closing does not wait until slow rules were tried for emails that nobody can answer any more", async () => {
  const data = await temporaryFolder();
  const { service } = await startApi({ data, seed: withRules(cel(SLOW)) });
  const clients = await Promise.all(Array.from({ length: 6 }, () => rawClient(service.smtpPort)));
  for (const { send, socket } of clients) {
    await send("EHLO c.example\r\n");
    await send("MAIL FROM:<b@c.example>\r\nRCPT TO:<a@example.test>\r\nDATA\r\n", 3);
    socket.write(`Subject: Hi\r\n\r\n${LONG}\r\n.\r\n`);
  }
  await service.close();
  // Sessions have two seconds to finish, and each email takes a second.
  expect((await logOf(await startApi({ data }))).length).toBeLessThan(6);
});

test("a thousand aliases and rules that would overwhelm a backtracking engine are tried for one email", async () => {
  const regex = (number: number) => `^(a+)+(a|aa)*${number}$`;
  const thousand = Array.from({ length: 1_000 }, (_, number) => regex(number));
  const forward = "ada@example.com";
  const name = "a".repeat(60);
  const { service } = await startApi({
    seed: {
      domains: [
        { name: "example.test", aliases: thousand.map((each) => ({ alias: `/${each}/`, forward })) },
        {
          name: "rules.test",
          routingEngine: "rules",
          rules: thousand.map((each) => ({ type: "regex", config: { regex: each, scopes: ["subject"], forward } })),
        },
      ],
    },
  });
  const answers = [
    await sendTo(service.smtpPort, { to: `${name}@example.test` }),
    await sendTo(service.smtpPort, { to: `${name}999@example.test` }),
    await sendTo(service.smtpPort, { to: "a@rules.test", subject: "a".repeat(900) }),
    await sendTo(service.smtpPort, { to: "a@rules.test", subject: `${"a".repeat(900)}999` }),
  ];
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(["550", "250", "550", "250"]);
});
