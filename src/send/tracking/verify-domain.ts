import type { Check, VerifiedService } from "./verify.js";

/** @throws {CallError} The domain could not be read: a 404 if the account does not have it. */
export async function domainChecks(service: VerifiedService, signal?: AbortSignal): Promise<Check[]> {
  const { domain } = service;
  const { isBanned, isReady } = await readDomain(service, signal);
  if (isBanned)
    return [
      { name: "domain", ok: false, message: `${domain} is banned.`, hint: "Ask the service's support for the reason." },
    ];
  const hint = `Complete its DNS records (two DKIM CNAME records and a DMARC TXT record): the dashboard shows them at /domains/${domain}/dns.`;
  return [
    { name: "domain", ok: true, message: `${domain} is a domain of the account.` },
    isReady
      ? { name: "sending", ok: true, message: `${domain} is ready to send.` }
      : { name: "sending", ok: false, message: `${domain} is not ready to send.`, hint },
  ];
}

/** Version 3 looks the DNS records up; version 4 has the result. */
async function readDomain(
  { version, client, domain }: VerifiedService,
  signal?: AbortSignal,
): Promise<{ readonly isBanned: boolean; readonly isReady: boolean }> {
  if (version === "v4") {
    const { banned, send_ready } = await client.domains.get(domain, signal && { signal });
    return { isBanned: banned, isReady: send_ready };
  }
  const { dkim1, dkim2, dmarc } = (await client.domains.check(domain, signal && { signal })).records;
  return { isBanned: false, isReady: [dkim1, dkim2, dmarc].every(({ valid }) => valid) };
}
