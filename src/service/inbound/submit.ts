import { setTimeout as sleep } from "node:timers/promises";
import addressparser from "nodemailer/lib/addressparser";
import { SENDS_PER_MINUTE } from "../../api/limits.js";
import { countSends } from "../account.js";
import { domainOf, parseAddress } from "../address.js";
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
import { LoginThrottle, type LoginTry } from "./login-throttle.js";
import { prependHeaders } from "./messages.js";
import { asUnreadable, type Envelope, type Received, type Refusal } from "./receive.js";

/** Who has logged in. */
export interface Submitter {
  readonly account: AccountRecord;
  readonly domain: DomainRecord;
  readonly credential: CredentialRecord;
}

/** A wrong password is answered after this time, in ms of the machine's time. */
const DELAY_MS = 500;

const CREDENTIAL_CHANGED: Refusal = {
  code: 530,
  message: "5.7.0 The credential has been changed or deleted. Log in again",
};

/** Accepts emails from applications that log in with an SMTP credential, and sends them like those of the API. */
export class Submission {
  readonly #context;
  readonly #sends;
  readonly #throttle;

  /** @param context With `limits`, the limit of sends per minute is enforced. */
  constructor(
    context: Pick<
      ServiceContext,
      "store" | "clock" | "settings" | "deliveries" | "webhooks" | "filing" | "reader" | "signer"
    > & { readonly limits: boolean },
  ) {
    this.#context = context;
    this.#sends = new RateLimiter(context.clock);
    this.#throttle = new LoginThrottle(context.clock);
  }

  /** Logs in with a credential's user name, followed by `@` and its domain, and its password. */
  async logIn(attempt: LoginTry, password: string): Promise<Submitter | Refusal> {
    const found = this.#tooMany(attempt) ?? (await this.#find(attempt.username, password));
    // Tries that run at the same time must not tell more than the limit allows.
    const answer = this.#tooMany(attempt) ?? found;
    if (answer) return answer;
    this.#throttle.countWrong(attempt);
    await sleep(DELAY_MS);
    return { code: 535, message: "5.7.8 The user name or password is wrong. The user name is NAME@DOMAIN" };
  }

  #tooMany(attempt: LoginTry): Refusal | undefined {
    const seconds = this.#throttle.retryAfter(attempt);
    if (seconds === undefined) return undefined;
    return { code: 454, message: `4.7.0 Too many wrong passwords. Try again in ${seconds} s` };
  }

  async #find(username: string, password: string): Promise<Submitter | undefined> {
    const { accounts, domains } = this.#context.store;
    const at = username.lastIndexOf("@");
    const found = domains.findAnywhere(username.slice(at + 1));
    const account = found && accounts.find(found.accountId);
    const credential = await logIn(this.#context.store, found?.domain, username.slice(0, Math.max(at, 0)), password);
    return account && found && credential && { account, domain: found.domain, credential };
  }

  /** Why an email from this sender is refused. Undefined if it is not. */
  refusalOf(submitter: Submitter, sender: string): Refusal | undefined {
    const current = this.#current(submitter);
    if (!current) return CREDENTIAL_CHANGED;
    const { domain, account } = current;
    const { name } = domain;
    if (!isOf(sender, domain)) return { code: 553, message: `5.7.1 The sender must be an address of ${name}` };
    if (!account.paid) return { code: 550, message: "5.7.1 This needs a premium plan" };
    if (account.profile.locked !== null) return { code: 550, message: "5.7.1 The account is locked" };
    if (domain.banned) return { code: 550, message: `5.7.1 ${name} is banned` };
    if (!maySubmit(domain))
      return { code: 550, message: `5.7.1 SMTP is blocked for ${name} until DKIM and DMARC are set up in its DNS` };
    return undefined;
  }

  /** Who has logged in as the store has it now: connections last for hours. Undefined if the login is no longer valid. */
  #current({ domain: { name }, credential }: Submitter): Submitter | undefined {
    const { accounts, domains, credentials } = this.#context.store;
    const found = domains.findAnywhere(name);
    const account = found && accounts.find(found.accountId);
    const stored = found && credentials.find(found.domain.id, credential.username);
    if (!account || stored?.passwordHash !== credential.passwordHash) return undefined;
    return { account, domain: found.domain, credential: stored };
  }

  /** Accepts an email. Resolves when it is on the disk. */
  async submit(submitter: Submitter, envelope: Envelope, original: Uint8Array): Promise<Received | Refusal> {
    const { account, domain, credential } = this.#current(submitter) ?? submitter;
    const { store, clock, settings, deliveries, webhooks, filing, reader, signer, limits } = this.#context;
    const refusal = this.refusalOf(submitter, envelope.sender);
    if (refusal) return refusal;
    const { retryAfter } = limits ? this.#sends.take(String(account.id), SENDS_PER_MINUTE) : {};
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
      await store.write(() => {
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
      });
    } catch (error) {
      if (error instanceof ApiError) return { code: 550, message: `5.7.1 ${error.message}` };
      throw error;
    }
    webhooks.wake();
    filing.wake();
    return { ids };
  }
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

/** Whether an address can be a recipient. */
export function isRecipient(address: string): boolean {
  return parseAddress(address)?.email === address;
}
