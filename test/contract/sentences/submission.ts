import { expect } from "vitest";
import { sendTo } from "../../service/inbound/smtp.js";
import { eventually } from "../eventually.js";
import { sentence } from "../sentence.js";
import type { Mailing } from "../world.js";

/* What the documents say about sending with an SMTP credential. The emails are submitted by SMTP. */

const create = "POST /domains/:domain/credentials";
const one = "/domains/:domain/credentials/:username";
const username = "app";
const password = "correct horse";

/** The SMTP code that answers an email which is submitted with the credential. */
async function codeOf(
  { smtpPort, domain }: Mailing,
  { pass = password, from = `shop@${domain}` } = {},
): Promise<number> {
  const auth = { user: `${username}@${domain}`, pass };
  return Number((await sendTo(smtpPort, { auth, from, to: "ada@example.com", subject: "Receipt" })).slice(0, 3));
}

const withCredential = { credentials: [{ username, password }] };

sentence('v4 part 1: "manage SMTP credentials for sending from a domain"', [], async ({ local }) => {
  const mailing = await local.receive(withCredential);
  const { v4, domain, mail } = mailing;
  expect(await codeOf(mailing)).toBe(250);
  const [captured] = mail.list();
  expect(captured).toMatchObject({ subject: "Receipt", recipients: [{ email: "ada@example.com" }] });
  await eventually(async () => {
    const { logs } = await v4("GET /domains/:domain/logs");
    expect(logs).toMatchObject([
      {
        transport: "smtp",
        sender: { email: `shop@${domain}` },
        recipient: { email: "ada@example.com" },
        forward: null,
        events: [{ status: "QUEUED" }, { status: "DELIVERED" }],
      },
    ]);
  });
  // "usage (integer)"
  expect((await v4("GET /domains/:domain/credentials")).credentials).toMatchObject([{ username, usage: 1 }]);
  expect(await codeOf(mailing, { from: "shop@example.com" })).toBe(553);
});

sentence('v4 part 2, SMTP credential: "The password is write-only."', [], async ({ local }) => {
  const mailing = await local.receive(withCredential);
  const { v4 } = mailing;
  expect(await codeOf(mailing, { pass: "wrong" })).toBe(535);
  const changed = await v4(`PUT ${one}`, { username, body: { password: "battery staple" } });
  const listed = await v4("GET /domains/:domain/credentials");
  expect(JSON.stringify([changed, listed])).not.toContain("battery");
  expect(await codeOf(mailing)).toBe(535);
  expect(await codeOf(mailing, { pass: "battery staple" })).toBe(250);
  await v4(`DELETE ${one}`, { username });
  expect(await codeOf(mailing, { pass: "battery staple" })).toBe(535);
});

sentence(
  'v4 part 3: "SMTP sending blocked for a domain | add the first SMTP credential | two DKIM CNAME entries and one DMARC TXT entry exist in DNS | sending allowed"',
  [],
  async ({ local }) => {
    const mailing = await local.receive();
    const { v4, domain, dns } = mailing;
    const complete = dns.zone;
    const created = await v4(create, { body: { username, password } });
    expect(created.requires_new_mx_check).toBe(true);
    expect(await codeOf(mailing)).toBe(550);
    for (const record of [`ls2._domainkey.${domain} CNAME`, `_dmarc.${domain} TXT`]) {
      dns.zone = { ...complete, [record]: [] };
      await v4("POST /domains/:domain/verify");
      expect(await codeOf(mailing)).toBe(550);
    }
    dns.zone = complete;
    await v4("POST /domains/:domain/verify");
    expect(await codeOf(mailing)).toBe(250);
    // Only the first credential blocks.
    expect((await v4(create, { body: { username: "second", password } })).requires_new_mx_check).toBe(false);
    expect(await codeOf(mailing)).toBe(250);
  },
);

sentence(
  'v3 part 3: "SMTP sending for a domain is blocked after the first credential is created until two DKIM CNAME entries and a DMARC TXT entry exist in DNS."',
  [],
  async ({ local }) => {
    const mailing = await local.receive();
    await mailing.v3(create, { body: { username, password } });
    expect(await codeOf(mailing)).toBe(550);
    await mailing.v3("GET /domains/:domain/check");
    expect(await codeOf(mailing)).toBe(250);
  },
);

sentence('v4 part 4: "SMTP credentials (premium feature)"', [], async ({ local }) => {
  const limits = { daily_send_limit: 100, monthly_send_limit: 100 };
  const mailing = await local.receive(withCredential, { plan: "free", limits });
  await mailing.v4.refused(403, "GET /domains/:domain/credentials");
  expect(await codeOf(mailing)).toBe(550);
});

sentence('v4 part 7: "429 | more than 10 requests per minute", when sending by SMTP', [], async ({ local }) => {
  const mailing = await local.receive(withCredential);
  for (let sent = 0; sent < 10; sent += 1) expect(await codeOf(mailing)).toBe(250);
  expect(await codeOf(mailing)).toBe(451);
  mailing.clock.advance(60_000);
  expect(await codeOf(mailing)).toBe(250);
});

sentence('v4 part 2, Plan: "daily_send_limit", when sending by SMTP', [], async ({ local }) => {
  const mailing = await local.receive(withCredential, { limits: { daily_send_limit: 2 } });
  const body = { from: "shop", to: "ada@example.com", subject: "Receipt", text: "Thanks" };
  await mailing.v4("POST /domains/:domain/emails/outbound", { body });
  expect(await codeOf(mailing)).toBe(250);
  expect((await mailing.v4("GET /account")).account.over_quota).toBe(true);
  expect(await codeOf(mailing)).toBe(550);
  mailing.clock.advance(24 * 60 * 60_000);
  expect(await codeOf(mailing)).toBe(250);
});
