import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { LOCAL_WEBHOOK_SECRET } from "../api/local.js";
import { checkNames } from "../send/check-options.js";
import type { ReceivedEmailBody } from "../service/index.js";
import { signatureHeaders } from "../service/inbound/webhook-signature.js";
import { checkValue } from "./check-value.js";
import type { LocalHttp } from "./local-http.js";
import { followReceived, isSameAddress, NoMailError, poll, readWait, type WaitOptions } from "./waiting.js";

export interface WebhookOptions {
  /** What posts are signed with. Default: the account's secret; without a seed, that of the local service. */
  readonly secret?: string;
}

/** Like `WaitOptions`, where `to` is the address at the service's domain. Default: any. */
export type WebhookWaitOptions = Partial<WaitOptions>;

/** A status from 200 to 599, or no answer at all, which the service takes as a failure after ten seconds. */
export type WebhookAnswer = number | "hang";

/**
 * A webhook that keeps what the service posts to it, and answers as a test wants. Posts without a valid signature are
 * refused with 401.
 *
 * @example
 * const webhook = await service.catchWebhooks();
 * await client.aliases.create(service.domain, { alias: "support", forward: webhook.url });
 * webhook.answerNext(500);
 * await service.receive({ from: "bob@shop.example", to: "support@example.test", subject: "Help", text: "…" });
 * const { id } = await webhook.waitFor({ subject: "Help" }); // answered with 500
 * service.clock.advance(60_000);
 * const again = await webhook.waitFor({ subject: "Help" }); // answered with 200; its id is the same
 */
export interface WebhookCatcher {
  /** For the `forward` of an alias or rule. Add `#raw` to get the message's source, too. */
  readonly url: string;
  /** What was posted so far, including repetitions, oldest first. */
  readonly bodies: readonly ReceivedEmailBody[];
  /**
   * The next post: the oldest that matches and was not returned before. Waits until it arrives.
   *
   * @throws {NoMailError} None arrived in time. The error lists other posts, and what was received but not delivered.
   */
  waitFor(options?: WebhookWaitOptions): Promise<ReceivedEmailBody>;
  /** Answers the next posts with these, one each, and later ones with 200 again. */
  answerNext(...answers: readonly WebhookAnswer[]): void;
  close(): Promise<void>;
}

/** The webhooks of one service, which are closed together. */
export class WebhookCatchers {
  readonly #http;
  readonly #secret;
  readonly #opened: WebhookCatcher[] = [];

  constructor(http: LocalHttp, secret = LOCAL_WEBHOOK_SECRET) {
    this.#http = http;
    this.#secret = secret;
  }

  async open(options: WebhookOptions = {}): Promise<WebhookCatcher> {
    checkNames<WebhookOptions>("catchWebhooks", options, { secret: true });
    const { secret = this.#secret } = options;
    const isSecret = typeof secret === "string" && secret.startsWith("whsec_");
    checkValue("catchWebhooks", "secret", isSecret ? secret : "…", isSecret, "a string that begins with whsec_");
    const catcher = await openCatcher(this.#http, secret);
    this.#opened.push(catcher);
    return catcher;
  }

  async close(): Promise<void> {
    await Promise.all(this.#opened.map((catcher) => catcher.close()));
  }
}

async function openCatcher(http: LocalHttp, secret: string): Promise<WebhookCatcher> {
  const undelivered = await followReceived(http);
  const bodies: ReceivedEmailBody[] = [];
  const returned = new Set<ReceivedEmailBody>();
  let answers: readonly WebhookAnswer[] = [];
  let unsigned = 0;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (!isSigned(request, body, secret)) {
      unsigned += 1;
      response.writeHead(401).end("The signature is not valid.");
      return;
    }
    const [answer = 200, ...rest] = answers;
    answers = rest;
    // Its format is that of the service in this same version.
    const email: ReceivedEmailBody = JSON.parse(body);
    bodies.push(email);
    if (answer !== "hang") response.writeHead(answer).end();
  }

  const server = createServer((request, response) => {
    // A connection that breaks during a post leaves nothing to catch.
    take(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    url: `http://127.0.0.1:${port}/`,
    bodies,
    async waitFor(options = {}) {
      const { hasSubject, timeoutMs } = readWait("webhook.waitFor", options);
      const { to } = options;
      const body = await poll(timeoutMs, async () => {
        const next = bodies.find(
          (each) =>
            !returned.has(each) &&
            (to === undefined || isSameAddress(each.envelope.recipient, to)) &&
            hasSubject(each.subject),
        );
        if (next !== undefined) returned.add(next);
        return next;
      });
      if (body !== undefined) return body;
      const others = bodies.filter((each) => !returned.has(each));
      throw noPost({ to, timeoutMs, others, returned: returned.size, unsigned, undelivered: await undelivered() });
    },
    answerNext(...next) {
      for (const answer of next) {
        const isAnswer = answer === "hang" || (Number.isInteger(answer) && answer >= 200 && answer <= 599);
        checkValue("answerNext", "answer", answer, isAnswer, 'a status from 200 to 599, or "hang"');
      }
      answers = [...answers, ...next];
    },
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Whether the service signed a post, so that nothing else can be taken for one. */
function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const id = String(headers["webhook-id"]);
  const timestamp = Number(headers["webhook-timestamp"]);
  return headers["webhook-signature"] === signatureHeaders(secret, { id, timestamp, body })["webhook-signature"];
}

interface Missing {
  readonly to: string | undefined;
  readonly timeoutMs: number;
  readonly others: readonly ReceivedEmailBody[];
  readonly returned: number;
  readonly unsigned: number;
  readonly undelivered: string;
}

function noPost({ to, timeoutMs, others, returned, unsigned, undelivered }: Missing): NoMailError {
  const recipient = to === undefined ? "" : ` for ${to}`;
  const posts = others.map(
    ({ envelope, subject }) => `- for ${envelope.recipient} from ${envelope.sender}: ${subject}`,
  );
  const lines = [
    `No email${recipient} was posted to the webhook within ${timeoutMs / 1000} s.`,
    ...(posts.length === 0 ? [] : ["Other posts:", ...posts]),
    ...(returned === 0 ? [] : [`Posts that were returned before: ${returned}.`]),
    ...(unsigned === 0
      ? []
      : [
          `Posts without a valid signature: ${unsigned}. Only forwarded emails are signed, with the account's webhook_secret; pass it as in catchWebhooks({ secret }).`,
        ]),
    ...(undelivered === "" ? [] : [undelivered]),
  ];
  return new NoMailError(lines.join("\n"));
}
