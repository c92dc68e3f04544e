import { setTimeout as sleep } from "node:timers/promises";
import addressparser from "nodemailer/lib/addressparser";
import { SENDS_PER_MINUTE } from "../../api/limits.js";
import { countSends } from "../account.js";
import { domainOf, localPartOf } from "../address.js";
import type { ServiceContext } from "../context.js";
import { logIn, maySubmit } from "../credentials.js";
import { HOSTNAME, outcomeOf } from "../delivery/deliveries.js";
import { ApiError } from "../http/api-error.js";
import type { ArrivingEmail } from "../mail/mail-reader.js";
import { newLogId, newMessageId } from "../ids.js";
import { RateLimiter } from "../rate-limiter.js";
import type { AccountRecord } from "../store/accounts.js";
import type { CredentialRecord } from "../store/credentials.js";
import { domainKey, type DomainRecord } from "../store/domains.js";
import { prependHeaders } from "./messages.js";
import { asUnreadable, type Envelope, type Received, type Refusal } from "./envelope.js";

/** Who has logged in. */
export interface Submitter {
  readonly account: AccountRecord;
  readonly domain: DomainRecord;
  readonly credential: CredentialRecord;
}

/** A try to log in. */
export interface LoginAttempt {
  /** A credential's user name, followed by `@` and its domain. */
  readonly username: string;
  readonly password: string;
  /** The client's IP address. */
  readonly client: string;
}

/** Maximum numbers of wrong passwords in a minute: for a user name, and from a client. A restart forgets them. */
const WRONG_PER_USER = 10;
const WRONG_PER_CLIENT = 50;
/** A wrong password is answered after this time, in ms of the machine's time. */
const DELAY_MS = 500;

const CREDENTIAL_CHANGED: Refusal = {
  code: 530,
  message: "5.7.0 The credential has been changed or deleted. Log in again",
};

/** Accepts emails from applications that log in with an SMTP credential, and sends them like those of the API. */
export class Submission {
  readonly #context;
  readonly #limiter;

  /** @param context With `limits`, the limit of sends per minute is enforced. */
  constructor(
    context: Pick<
      ServiceContext,
      "store" | "clock" | "settings" | "deliveries" | "webhooks" | "filing" | "reader" | "signer"
    > & { readonly limits: boolean },
  ) {
    this.#context = context;
    this.#limiter = new RateLimiter(context.clock);
  }

  /** Logs in with an SMTP credential. */
  async logIn(attempt: LoginAttempt): Promise<Submitter | Refusal> {
    const found = this.#tooManyWrong(attempt) ?? (await this.#find(attempt));
    // Attempts that run at the same time must not reveal more than the limit allows.
    const answer = this.#tooManyWrong(attempt) ?? found;
    if (answer) return answer;
    for (const { key, limit } of wrongLimits(attempt)) this.#limiter.take(key, limit);
    await sleep(DELAY_MS);
    return { code: 535, message: "5.7.8 The user name or password is wrong. The user name is NAME@DOMAIN" };
  }

  #tooManyWrong(attempt: LoginAttempt): Refusal | undefined {
    const [seconds] = wrongLimits(attempt).flatMap(({ key, limit }) => this.#limiter.retryAfter(key, limit) ?? []);
    if (seconds === undefined) return undefined;
    return { code: 454, message: `4.7.0 Too many wrong passwords. Try again in ${seconds} s` };
  }

  async #find({ username, password }: LoginAttempt): Promise<Submitter | undefined> {
    const { accounts, domains } = this.#context.store;
    const found = domains.findAnywhere(domainOf(username));
    const account = found && accounts.find(found.accountId);
    const credential = await logIn(this.#context.store, found?.domain, localPartOf(username), password);
    return account && found && credential && { account, domain: found.domain, credential };
  }

  /** Why an email from this sender is refused. Undefined if it is not. */
  refusalOf(submitter: Submitter, sender: string): Refusal | undefined {
    const current = this.#checked(submitter, sender);
    return "code" in current ? current : undefined;
  }

  /** The submitter as stored now, because connections last for hours, or why an email from this sender is refused. */
  #checked({ domain: { name }, credential }: Submitter, sender: string): Submitter | Refusal {
    const { accounts, domains, credentials } = this.#context.store;
    const found = domains.findAnywhere(name);
    const account = found && accounts.find(found.accountId);
    const stored = found && credentials.find(found.domain.id, credential.username);
    if (!account || stored?.passwordHash !== credential.passwordHash) return CREDENTIAL_CHANGED;
    const { domain } = found;
    if (!isOf(sender, domain)) return { code: 553, message: `5.7.1 The sender must be an address of ${name}` };
    if (!account.paid) return { code: 550, message: "5.7.1 This needs a premium plan" };
    if (account.profile.locked !== null) return { code: 550, message: "5.7.1 The account is locked" };
    if (domain.banned) return { code: 550, message: `5.7.1 ${name} is banned` };
    if (!maySubmit(domain))
      return {
        code: 550,
        message: `5.7.1 SMTP is blocked until POST /v4/domains/${name}/verify finds DKIM and DMARC in the domain's DNS`,
      };
    return { account, domain, credential: stored };
  }

  /** Accepts an email. Resolves when it is on the disk. */
  async submit(submitter: Submitter, envelope: Envelope, original: Uint8Array): Promise<Received | Refusal> {
    const current = this.#checked(submitter, envelope.sender);
    if ("code" in current) return current;
    const { account, domain, credential } = current;
    const { store, clock, settings, deliveries, webhooks, filing, reader, signer, limits } = this.#context;
    const { retryAfter } = limits ? this.#limiter.take(`sends of ${account.id}`, SENDS_PER_MINUTE) : {};
    if (retryAfter !== undefined)
      return {
        code: 451,
        message: `4.7.1 ${SENDS_PER_MINUTE} emails a minute are allowed. Try again in ${retryAfter} s`,
      };
    const now = clock.now();
    const email = await reader.readArriving(original, { body: false }).catch(asUnreadable);
    if ("code" in email) return email;
    if (!isFrom(email, domain))
      return { code: 550, message: `5.7.1 The header From must have an address of ${domain.name}, and no other` };
    const messageId = email.messageId ?? newMessageId(domain.name);
    const complete = prependHeaders(original, email.messageId === undefined ? [["Message-ID", messageId]] : []);
    const source = domain.sendReady ? await signer.sign(complete, domain.name) : complete;
    const { from, to, cc } = email;
    const names = new Map([...to, ...cc, ...(from ? [from] : [])].map(({ email: address, name }) => [address, name]));
    const mailbox = (address: string) => ({ email: address, name: names.get(address) ?? null });
    const ids = envelope.recipients.map(() => newLogId(now));
    try {
      const refusal = await store.write(() => {
        // The domain or the credential may have been deleted meanwhile.
        const stored = this.#checked(submitter, envelope.sender);
        if ("code" in stored) return stored;
        countSends(this.#context, account, ids.length);
        store.credentials.countUse(credential.id);
        const mailSeq = store.mails.create("sent", source, email.attachments);
        for (const [index, id] of ids.entries()) {
          const address = envelope.recipients[index] ?? "";
          const entry = {
            id,
            createdAt: now,
            hostname: HOSTNAME,
            messageId,
            subject: email.subject,
            transport: "smtp",
            sender: mailbox(envelope.sender),
            recipient: mailbox(address),
            forward: null,
          } as const;
          deliveries.accept(domain.id, mailSeq, entry, outcomeOf(address, settings.get().outcomes));
        }
        return undefined;
      });
      if (refusal) return refusal;
    } catch (error) {
      if (error instanceof ApiError) return { code: 550, message: `5.7.1 ${error.message}` };
      throw error;
    }
    webhooks.wake();
    filing.wake();
    return { ids };
  }
}

function wrongLimits({ username, client }: LoginAttempt) {
  return [
    { key: `user ${username.toLowerCase()}`, limit: WRONG_PER_USER },
    { key: `client ${client}`, limit: WRONG_PER_CLIENT },
  ];
}

function isOf(address: string, { name }: DomainRecord): boolean {
  return domainKey(domainOf(address)) === name;
}

/** Whether an email's authors are all of the domain. */
function isFrom({ headers }: ArrivingEmail, domain: DomainRecord): boolean {
  const values = headers.filter(({ name }) => name.toLowerCase() === "from").map(({ value }) => value);
  const authors = values.flatMap((value) => addressparser(value, { flatten: true }));
  return authors.length > 0 && authors.every(({ address }) => isOf(address, domain));
}
