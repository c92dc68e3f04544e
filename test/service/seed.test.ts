import { expect, test } from "vitest";
import { aliasListResponse } from "../../src/api/contract/v4/aliases.js";
import { accountResponse } from "../../src/api/contract/v4/account.js";
import { domainListResponse, domainResponse } from "../../src/api/contract/v4/domains.js";
import { ruleListResponse } from "../../src/api/contract/v4/rules.js";
import { credentialListResponse } from "../../src/api/contract/v4/credentials.js";
import { templateListResponse, templateResponse } from "../../src/api/contract/v4/templates.js";
import { type Seed, SeedError, startService } from "../../src/service/index.js";
import { apiOf, startApi, temporaryFolder } from "./harness.js";
import { below } from "./version-3.js";

const full: Seed = {
  accounts: [
    {
      apiKey: "first",
      profile: { name: "Acme", email: "owner@acme.test", email_log_retention_days: 7 },
      limits: { daily_send_limit: 5 },
      domains: [
        {
          name: "Acme.test",
          notificationEmail: "o&p's@acme.test",
          whitelabel: "brand.test",
          templates: [{ name: "receipt", subject: "Receipt {{number}}", text_body: "Thanks" }],
          aliases: [{ alias: "hello", forward: "ada@example.com" }],
          rules: [
            { type: "regex", config: { regex: "^sales", scopes: ["recipient"], forward: "ada@example.com" } },
            { type: "cel", config: { expression: "true", forward: "ada@example.com" }, rank: 7, active: false },
          ],
          credentials: [{ username: "app", password: "correct horse" }],
        },
        { name: "later.test", sendReady: false, forwardingReady: true },
      ],
    },
    { apiKey: "second", plan: "free", domains: [{ name: "other.test" }] },
  ],
};

test("a seed contains accounts, domains and their content", async () => {
  const api = await startApi({ seed: full });
  expect(api.service).toMatchObject({ apiKey: "first", domain: "acme.test", kept: [] });
  const { account } = (await api.get("/account")).read(accountResponse);
  expect(account).toMatchObject({ name: "Acme", email_log_retention_days: 7, plan: { daily_send_limit: 5, price: 9 } });
  const { domains } = (await api.get("/domains?order=created_asc")).read(domainListResponse);
  expect(domains).toMatchObject([
    { domain: "acme.test", send_ready: true, notification_email: "o&p's@acme.test", whitelabel: "brand.test" },
    { domain: "later.test", send_ready: false, forwarding_ready: true },
  ]);
  const { template } = (await api.get("/domains/acme.test/templates/receipt")).read(templateResponse);
  expect(template).toMatchObject({ subject: "Receipt {{number}}", html_body: "", text_body: "Thanks" });
  const { aliases } = (await api.get("/domains/acme.test/aliases")).read(aliasListResponse);
  expect(aliases).toMatchObject([{ alias: "hello", forward: "ada@example.com" }]);
  const { rules } = (await api.get("/domains/acme.test/rules")).read(ruleListResponse);
  expect(rules).toMatchObject([
    { type: "regex", rank: 1, active: true },
    { type: "cel", rank: 7, active: false },
  ]);
  const { credentials } = (await api.get("/domains/acme.test/credentials")).read(credentialListResponse);
  expect(credentials).toMatchObject([{ username: "app", usage: 0 }]);

  const second = below("v4", api, "second");
  expect((await second.get("/account")).read(accountResponse).account.plan.name).toBe("Free");
  expect((await second.get("/domains")).read(domainListResponse).domains).toMatchObject([{ domain: "other.test" }]);
  expect((await second.get("/domains/acme.test")).status).toBe(404);
});

test("an existing folder keeps its content, gets what is missing, and reports what differs", async () => {
  const data = await temporaryFolder();
  const first = await startService({ data, port: 0, seed: full });
  await first.close();

  const again = await startService({ data, port: 0, seed: full });
  expect(again.kept).toEqual([]);
  const rules = (await apiOf(again).get("/domains/acme.test/rules")).read(ruleListResponse);
  expect(rules.total).toBe(2);
  await again.close();

  const changed: Seed = {
    accounts: [
      {
        apiKey: "first",
        plan: "free",
        domains: [
          {
            name: "acme.test",
            webhook: "https://hook.test/",
            templates: [{ name: "receipt", subject: "Other" }, { name: "new" }],
            aliases: [{ alias: "Hello", forward: "bob@example.com" }],
            rules: [{ type: "cel", config: { expression: "true", forward: "ada@example.com" }, active: true }],
            credentials: [{ username: "app", password: "another" }],
          },
          { name: "other.test", templates: [{ name: "foreign" }] },
        ],
      },
    ],
  };
  const service = await startService({ data, port: 0, seed: changed, limits: false });
  const api = apiOf(service);
  expect(service.kept).toEqual([
    'The account "Acme" differs from the seed and was left unchanged.',
    "The settings of acme.test differ from the seed and were left unchanged.",
    "The template receipt of acme.test differs from the seed and was left unchanged.",
    "The alias Hello of acme.test differs from the seed and was left unchanged.",
    expect.stringMatching(/^The rule [-0-9a-f]{36} of acme\.test differs from the seed and was left unchanged\.$/),
    "The password of the credential app of acme.test differs from the seed and was left unchanged.",
    "The domain other.test belongs to another account, so nothing was added to it.",
  ]);
  const { templates } = (await api.get("/domains/acme.test/templates")).read(templateListResponse);
  expect(templates.map(({ name, subject }) => [name, subject])).toEqual([
    ["new", ""],
    ["receipt", "Receipt {{number}}"],
  ]);
  expect((await api.get("/domains/later.test")).read(domainResponse).domain.forwarding_ready).toBe(true);
  await service.close();
});

const webhookForm = "must be an http or https URL of at most 2048 characters";

test.each([
  [{ domian: [] }, 'the seed has an unknown member "domian"; did you mean "domains"?'],
  [{ plan: "gold" }, "plan must be one of free, paid"],
  [{ domains: [] }, "domains[0] is required"],
  [{ accounts: [] }, "accounts[0] is required"],
  ["paid", "the seed must be an object"],
  [{ domains: [{ name: "localhost" }] }, "domains[0].name must be a full domain name, such as example.com"],
  [
    { domains: [{ name: "a.test", sendready: true }] },
    'domains[0] has an unknown member "sendready"; did you mean "sendReady"?',
  ],
  [{ domains: [{ name: "a.test" }, { name: "A.test" }] }, "domains[1].name appears twice"],
  [{ domains: [{ name: "a.test", webhook: "ftp://a.test" }] }, `domains[0].webhook ${webhookForm}`],
  [{ domains: [{ name: "a.test", webhook: "https://a.test/ b" }] }, `domains[0].webhook ${webhookForm}`],
  [
    { domains: [{ name: "a.test", webhook: `https://a.test/${"a".repeat(2_048)}` }] },
    `domains[0].webhook ${webhookForm}`,
  ],
  [
    { domains: [{ name: "a.test", notificationEmail: "Ada <ada@a.test>" }] },
    "domains[0].notificationEmail must be an email address",
  ],
  [{ profile: { webhook_secret: "c2VjcmV0" } }, 'profile.webhook_secret must be "whsec_" and a key in base64'],
  [{ profile: { webhook_secret: "whsec_%" } }, 'profile.webhook_secret must be "whsec_" and a key in base64'],
  [{ profile: { webhook_secret: "whsec_" } }, 'profile.webhook_secret must be "whsec_" and a key in base64'],
  [
    { domains: [{ name: "a.test", templates: [{ name: "A b" }] }] },
    /^domains\[0\]\.templates\[0\]\.name may only have lowercase/,
  ],
  [
    { domains: [{ name: "a.test", templates: [{ name: "a", subject: "{{#open}}" }] }] },
    /^domains\[0\]\.templates\[0\] is not valid: subject is not valid Mustache/,
  ],
  [
    { domains: [{ name: "a.test", aliases: [{ alias: "a", forward: "nobody" }] }] },
    /^domains\[0\]\.aliases\[0\] is not valid: forward has an invalid forward address/,
  ],
  [
    {
      domains: [
        {
          name: "a.test",
          rules: [{ type: "regex", config: { regex: "(", scopes: ["subject"], forward: "a@b.test" } }],
        },
      ],
    },
    /^domains\[0\]\.rules\[0\] is not valid: config.* does not compile/,
  ],
  [
    { domains: [{ name: "a.test", credentials: [{ username: "a", password: "" }] }] },
    "domains[0].credentials[0] is not valid: password must not be empty",
  ],
  // A name that is valid elsewhere does not help here.
  [{ accounts: [{}], apiKey: "k1" }, 'the seed has an unknown member "apiKey"'],
  [{ accounts: [{ apiKey: "k1" }, { apiKey: "k1" }] }, "accounts[1].apiKey is also used by another account"],
  [{ accounts: [{ apiKey: "k1" }, { apiKey: "k2" }] }, "accounts[1].domains[0].name appears twice"],
])("an invalid seed is refused with the place: %j", async (seed, problem) => {
  const refused: unknown = await startService({ data: ":memory:", port: 0, seed: seed as Seed }).catch(
    (e: unknown) => e,
  );
  expect(refused).toBeInstanceOf(SeedError);
  const { problems, message } = refused as SeedError;
  expect(problems).toContainEqual(typeof problem === "string" ? problem : expect.stringMatching(problem));
  expect(message).not.toMatch(/k1/);
});

test("a seed beyond the plan's limits is refused as a whole", async () => {
  const data = await temporaryFolder();
  const aliases = ["a", "b"].map((alias) => ({ alias, forward: "ada@example.com" }));
  const seed: Seed = { limits: { aliases_limit: 1 }, domains: [{ name: "a.test", aliases }] };
  await expect(startService({ data, port: 0, seed })).rejects.toMatchObject({
    problems: ["The domain a.test: The account has reached its plan's limit of 1 aliases."],
  });
  const service = await startService({ data, port: 0 });
  expect((await apiOf(service).get("/domains")).read(domainListResponse).domains).toMatchObject([
    { domain: "example.test" },
  ]);
  await service.close();
});

test.each([["127.0.0.1:port"], ["dns.example.com"], [""]])("%j is not a DNS server", async (server) => {
  const dns = { servers: server === "" ? [] : [server] };
  await expect(startService({ data: ":memory:", dns })).rejects.toMatchObject({ code: "configuration" });
});
