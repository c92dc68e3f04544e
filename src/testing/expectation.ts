import type { AsymmetricMatcher, Partially, StringPattern } from "./partial-match.js";
import type { AnyMail } from "./recorded-mail.js";

/**
 * Describes an expected message. Keys that are left out match anything.
 *
 * @example
 * expect(mailer).toHaveSent("receipt", {
 *   to: "ada@example.com",
 *   variables: { order: { number: "7" } },
 *   attachments: ["receipt-7.pdf"],
 *   where: (mail) => mail.link("See your order").endsWith("/orders/7"),
 * });
 */
export interface Expectation<Mail extends AnyMail = AnyMail> {
  /**
   * One of the recipients. Names are ignored, as is the case of the domain.
   *
   * @example
   * { to: "ada@example.com" }
   * { to: /@example\.com$/ }
   */
  readonly to?: StringPattern;
  /**
   * One of the recipients in `cc`, compared as in `to`.
   *
   * @example
   * { cc: "accounting@example.com" }
   */
  readonly cc?: StringPattern;
  /**
   * One of the recipients in `bcc`, compared as in `to`.
   *
   * @example
   * { bcc: "archive@example.com" }
   */
  readonly bcc?: StringPattern;
  /**
   * The sender's address, or only its local part.
   *
   * @example
   * { from: "receipts" }
   * { from: "receipts@shop.example" }
   */
  readonly from?: StringPattern;
  /**
   * The address that replies go to, compared as in `to`.
   *
   * @example
   * { replyTo: "support@example.com" }
   */
  readonly replyTo?: StringPattern;
  /**
   * The whole filled subject, or a pattern for it.
   *
   * @example
   * { subject: "Receipt for order 7" }
   * { subject: /order 7/ }
   */
  readonly subject?: StringPattern;
  /**
   * Part of the filled HTML body, or a pattern for it. Requires the bodies in the registry: `templates types --bodies`.
   *
   * @example
   * { html: '<a href="https://shop.example/orders/7">' }
   */
  readonly html?: StringPattern;
  /**
   * Part of the filled text body, or a pattern for it. Requires the bodies, like `html`.
   *
   * @example
   * { text: "Your code is 123456." }
   * { text: /code is \d{6}/ }
   */
  readonly text?: StringPattern;
  /**
   * The variables that matter, at any depth, as the application passes them. Objects may have more properties; lists
   * may not have more items.
   *
   * @example
   * { variables: { order: { number: "7", total: expect.any(Number) } } }
   */
  readonly variables?: Partially<Mail["variables"]>;
  /**
   * All attachments in their order: a filename for each, or the properties that matter. An asymmetric matcher in place
   * of an item receives the whole attachment.
   *
   * @example
   * { attachments: ["receipt-7.pdf", { filename: /\.ics$/, contentType: "text/calendar" }] }
   * { attachments: [] } // none
   */
  readonly attachments?: readonly (string | RegExp | ExpectedAttachment | AsymmetricMatcher)[] | AsymmetricMatcher;
  /**
   * Tests what the other keys cannot express. Called for messages that match all other keys; must return `true` or
   * `false`; a promise is an error. What it throws fails the test.
   *
   * @example
   * { where: (mail) => mail.priority === "high" && mail.code().length === 6 }
   */
  readonly where?: (mail: Mail) => boolean;
  /**
   * The exact number of matching messages. Default: one or more.
   *
   * @example
   * { to: "ada@example.com", times: 2 }
   */
  readonly times?: number;
}

/**
 * Describes an expected attachment. Keys that are left out match anything.
 *
 * @example
 * { filename: "receipt-7.pdf", contentType: "application/pdf" }
 */
export interface ExpectedAttachment {
  readonly filename?: StringPattern;
  readonly contentType?: StringPattern;
  readonly contentId?: StringPattern;
  /** All of its bytes. */
  readonly content?: Uint8Array | AsymmetricMatcher;
}
