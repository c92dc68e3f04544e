import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { type Credential, credentialChangesSchema, newCredentialSchema } from "../api/contract/v4/credentials.js";
import { requirePaidPlan } from "./account.js";
import type { ServiceContext } from "./context.js";
import type { HandlersV4 } from "./endpoints.js";
import { badRequest, invalidFields, notFound } from "./http/api-error.js";
import { parse, type Problems } from "./http/validate.js";
import { isoSeconds } from "./ids.js";
import { isLocalPart } from "./address.js";
import type { CredentialRecord } from "./store/credentials.js";
import type { DomainRecord } from "./store/domains.js";
import type { Store } from "./store/store.js";

const PASSWORD_MAX_BYTES = 1_024;

/** @throws ApiError (400) with every problem of the body. */
export function readNewCredential(body: Record<string, unknown>): { username: string; password: string } {
  return parse(newCredentialSchema, body, ({ username, password }, problems) => {
    if (!isLocalPart(username)) {
      problems.add("username", "username must be the local part of an address, without the domain");
    }
    checkPassword(password, problems);
  });
}

function checkPassword(password: string, problems: Problems): void {
  if (password === "") problems.add("password", "password must not be empty");
  else if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES) {
    problems.add("password", `password may have at most ${PASSWORD_MAX_BYTES} bytes`);
  } else if (/[\0\p{Surrogate}]/u.test(password)) {
    // SMTP sends the password as UTF-8 and ends it with NUL, so such a password could not be used.
    problems.add("password", "password has invalid characters");
  }
}

/** Maximum number of credentials per domain, which version 3 reports as `limits`. */
export const CREDENTIALS_PER_DOMAIN = 100;

/** A new credential. After a domain's first one, sending by SMTP is blocked until its DNS has been checked (part 3). */
interface AddedCredential {
  readonly credential: CredentialRecord;
  readonly isFirst: boolean;
}

/** @throws ApiError (400) for an invalid body, a user name that is taken, or too many credentials. */
export async function addCredential(
  { store, clock }: ServiceContext,
  domain: DomainRecord,
  body: Record<string, unknown>,
): Promise<AddedCredential> {
  const { username, password } = readNewCredential(body);
  const hash = await hashPassword(password);
  return store.transaction(() => {
    const before = store.credentials.count(domain.id);
    const credential = store.credentials.create(domain.id, username, hash, clock.now());
    if (!credential) throw invalidFields({ username: ["username is already taken by another credential"] });
    if (before >= CREDENTIALS_PER_DOMAIN) {
      throw badRequest(`A domain can have at most ${CREDENTIALS_PER_DOMAIN} credentials.`);
    }
    const isFirst = before === 0;
    if (isFirst) store.domains.setSmtpBlocked(domain.id, true);
    return { credential, isFirst };
  });
}

/** @throws ApiError: 400 for an invalid body, 404 if there is no such credential. */
export async function changePassword(
  { store }: ServiceContext,
  domain: DomainRecord,
  username: string,
  body: Record<string, unknown>,
): Promise<CredentialRecord> {
  const { password } = parse(credentialChangesSchema, body, (fields, problems) =>
    checkPassword(fields.password, problems),
  );
  const credential = findCredential(store, domain, username);
  store.credentials.setPassword(credential.id, await hashPassword(password));
  return findCredential(store, domain, username);
}

function findCredential(store: ServiceContext["store"], domain: DomainRecord, username: string): CredentialRecord {
  const credential = store.credentials.find(domain.id, username);
  if (!credential) throw notFound("There is no credential with this user name on the domain.");
  return credential;
}

/**
 * Whether a domain may send by SMTP: it may not after its first credential was added until DKIM and DMARC were found
 * (part 3).
 */
export function maySubmit(domain: DomainRecord): boolean {
  return !domain.smtpBlocked && !domain.banned;
}

/**
 * The credential for a user name and password. Undefined if they are wrong. Unknown names take as long as wrong
 * passwords.
 *
 * @example
 * const credential = await logIn(store, domain, "newsletter", "secret");
 * if (credential && maySubmit(domain)) …
 */
export async function logIn(
  store: Store,
  domain: DomainRecord | undefined,
  username: string,
  password: string,
): Promise<CredentialRecord | undefined> {
  const credential = domain && store.credentials.find(domain.id, username);
  return (await matchesPassword(password, credential?.passwordHash)) ? credential : undefined;
}

/**
 * Cost of new scrypt hashes: about 16 MB and 40 ms. Each hash stores its own cost, so these values can be raised later.
 */
const COST = { N: 16_384, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Hashes a password for storage: `scrypt$N$r$p$salt$hash`, with salt and hash in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Whether the password matches. Without a stored hash it does not, but the check takes the same time. */
export async function matchesPassword(password: string, stored = unmatchable): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = stored.split("$");
  const derived = await derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, Buffer.from(hash, "base64")) && stored !== unmatchable;
}

/** A hash that no password matches. */
const unmatchable = ["scrypt", COST.N, COST.r, COST.p, "AAAAAAAAAAAAAAAAAAAAAA==", `${"A".repeat(43)}=`].join("$");

let lastDerived: Promise<unknown> = Promise.resolve();

/** One at a time, because each needs one of Node's four threads that also read files. */
function derive(password: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
  const derived = lastDerived.then(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password, salt, HASH_BYTES, cost, (error, hash) => (error ? reject(error) : resolve(hash)));
      }),
  );
  lastDerived = derived.catch(() => undefined);
  return derived;
}

/** Version 4's endpoints. */
export function credentialHandlers(context: ServiceContext): HandlersV4<"credentials"> {
  const { credentials } = context.store;
  return {
    "credentials.list": ({ account, domain, query }) => {
      requirePaidPlan(account);
      const { limit, page } = query();
      const shown = credentials.list(domain.id, { limit, page }).map(credentialV4);
      return { credentials: shown, limit, page, total: credentials.count(domain.id) };
    },
    ...credentialWriteHandlers(context, credentialV4),
  };
}

/** The endpoints that change credentials, which are the same in both versions apart from a credential's fields. */
export function credentialWriteHandlers(
  context: ServiceContext,
  show: (credential: CredentialRecord) => object,
): Omit<HandlersV4<"credentials">, "credentials.list"> {
  return {
    "credentials.create": async ({ account, domain, body }) => {
      requirePaidPlan(account);
      const { credential, isFirst } = await addCredential(context, domain, await body());
      return { credential: show(credential), requires_new_mx_check: isFirst };
    },
    "credentials.update": async ({ account, domain, parameters, body }) => {
      requirePaidPlan(account);
      return { credential: show(await changePassword(context, domain, parameters.username, await body())) };
    },
    "credentials.delete": ({ account, domain, parameters }) => {
      requirePaidPlan(account);
      context.store.credentials.delete(findCredential(context.store, domain, parameters.username).id);
      return undefined;
    },
  };
}

function credentialV4({ username, usage, createdAt }: CredentialRecord): Credential {
  return { username, usage, created_at: isoSeconds(createdAt) };
}
