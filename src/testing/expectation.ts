import {
  type AsymmetricMatcher,
  isMatcher,
  isStringPattern,
  likeness,
  matches,
  type Partially,
  STRING_PATTERN,
  type StringPattern,
} from "./partial-match.js";
import type { AnyMail, RecordedAttachment } from "./recorded-mail.js";
import { types } from "node:util";
import { emailOf } from "../send/parcel.js";
import { isRecord } from "../values.js";
import { checkNames, type OptionNames } from "../send/check-options.js";
import { checkValue } from "./check-value.js";
import { visiblePart } from "./links.js";

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

/** How one key of an expectation is compared with recorded messages. The expectation has been checked before. */
interface ExpectedField {
  /** @throws {ConfigurationError} The value has the wrong type. */
  check(caller: string, expected: unknown): void;
  isMet(mail: AnyMail, expected: unknown): boolean;
  /** What to show in a diff if it does not match. */
  differenceOf(mail: AnyMail, expected: unknown): { readonly actual: unknown; readonly expected: unknown };
  /** A part of the sentence `"receipt" to ada@example.com was sent.` */
  inWords(expected: unknown): string;
}

/** The keys that are compared, in this order: bodies last, since not every registry has them. */
export const FIELDS: Readonly<Record<Exclude<keyof Expectation, "where" | "times">, ExpectedField>> = {
  to: address("to", "to", ({ to }) => to),
  cc: address("cc", "cc", ({ cc }) => cc),
  bcc: address("bcc", "bcc", ({ bcc }) => bcc),
  from: sender(),
  replyTo: address("replyTo", "with replies to", ({ replyTo }) => (replyTo === undefined ? [] : [replyTo])),
  subject: {
    check: (caller, expected) => checkString(caller, "subject", expected),
    isMet: ({ subject }, expected) => matches(subject, expected),
    differenceOf: ({ subject }, expected) => ({ actual: subject, expected }),
    inWords: (expected) => (isMatcher(expected) ? "with a matching subject" : `with the subject ${String(expected)}`),
  },
  variables: {
    check: (caller, expected) =>
      checkValue(caller, "variables", expected, isRecord(expected), "an object or an asymmetric matcher"),
    isMet: ({ variables }, expected) => matches(variables, expected),
    differenceOf: ({ variables }, expected) => ({ actual: likeness(variables, expected), expected }),
    inWords: () => "with these variables",
  },
  attachments: {
    check: checkAttachments,
    isMet: ({ attachments }, expected) => matches(attachments, withMembers(expected)),
    differenceOf(mail, expected) {
      const wanted = withMembers(expected);
      const items = itemsOf(wanted);
      const actual = mail.attachments.map((attachment, index) => likenessOf(attachment, items[index]));
      return { actual, expected: wanted };
    },
    inWords: () => "with these attachments",
  },
  text: body("text"),
  html: body("html"),
};

/** The keys of an expectation, with how they are compared. */
export function fieldsOf(
  expected: object,
): { readonly key: string; readonly field: ExpectedField; readonly value: unknown }[] {
  return Object.entries(FIELDS)
    .filter(([key]) => Object.hasOwn(expected, key))
    .map(([key, field]) => ({ key, field, value: Reflect.get(expected, key) }));
}

function address(key: string, phrase: string, read: (mail: AnyMail) => readonly string[]): ExpectedField {
  return {
    check: (caller, expected) => checkString(caller, key, expected),
    isMet: (mail, expected) => read(mail).some((each) => isAddress(each, expected)),
    differenceOf(mail, expected) {
      const [first, ...others] = read(mail);
      return { actual: others.length === 0 ? first : read(mail), expected };
    },
    inWords: (expected) => `${phrase} ${isMatcher(expected) ? "a matching address" : String(expected)}`,
  };
}

/** The local part is enough, as for `createMailer`. */
function sender(): ExpectedField {
  const field = address("from", "from", ({ from }) => [from]);
  return {
    ...field,
    isMet: (mail, expected) =>
      typeof expected === "string" && !expected.includes("@")
        ? emailOf(mail.from).startsWith(`${expected}@`)
        : field.isMet(mail, expected),
  };
}

function isAddress(actual: string, expected: unknown): boolean {
  return matches(comparable(actual), typeof expected === "string" ? comparable(expected) : expected);
}

/** The bare address, with its domain in lower case. */
function comparable(value: string): string {
  const email = emailOf(value);
  const at = email.lastIndexOf("@");
  return email.slice(0, at) + email.slice(at).toLowerCase();
}

/** Enough of a body to recognise it. All of it would hide the rest of a failed test's output. */
const EXCERPT = 500;

function body(part: "html" | "text"): ExpectedField {
  return {
    check(caller, expected) {
      checkString(caller, part, expected);
      checkValue(caller, part, expected, expected !== "", "a string of at least one character");
    },
    isMet: (mail, expected) =>
      typeof expected === "string" ? (mail[part]?.includes(expected) ?? false) : matches(mail[part], expected),
    differenceOf(mail, expected) {
      const visible = mail[part] && visiblePart(mail[part]).trim();
      return { actual: visible && visible.length > EXCERPT ? `${visible.slice(0, EXCERPT)}…` : visible, expected };
    },
    inWords: (expected) =>
      isMatcher(expected) ? `with a matching ${part}` : `with ${String(expected)} in its ${part}`,
  };
}

const ATTACHMENT: OptionNames<ExpectedAttachment> = {
  filename: true,
  contentType: true,
  contentId: true,
  content: true,
};

function checkAttachments(caller: string, expected: unknown): void {
  const takes = 'a list such as ["receipt.pdf", { contentType: "text/calendar" }], or an asymmetric matcher';
  checkValue(caller, "attachments", expected, Array.isArray(expected) || isMatcher(expected), takes);
  for (const [index, item] of itemsOf(expected).entries()) checkAttachment(caller, `attachments[${index}]`, item);
}

function checkAttachment(caller: string, path: string, expected: unknown): void {
  if (isStringPattern(expected)) return;
  checkValue(
    caller,
    path,
    expected,
    isRecord(expected),
    `${STRING_PATTERN}, or an object such as { filename, contentType }`,
  );
  checkNames(caller, expected, ATTACHMENT, { path: `${path}.` });
  for (const [name, value] of Object.entries(expected)) {
    const isBytes = types.isUint8Array(value) || isMatcher(value);
    if (name === "content") checkValue(caller, `${path}.content`, value, isBytes, "bytes or an asymmetric matcher");
    else checkString(caller, `${path}.${name}`, value);
  }
}

/** A filename alone means an attachment with that name. */
function withMembers(expected: unknown): unknown {
  if (isMatcher(expected)) return expected;
  return itemsOf(expected).map((item) => (isStringPattern(item) && !isMatcher(item) ? { filename: item } : item));
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

/** The parts of an attachment that matter; its bytes only if bytes are expected. */
function likenessOf(attachment: RecordedAttachment, expected: unknown): unknown {
  const { content: _, ...described } = attachment;
  return likeness(isRecord(expected) && "content" in expected ? attachment : described, expected);
}

function checkString(caller: string, key: string, value: unknown): void {
  checkValue(caller, key, value, isStringPattern(value), STRING_PATTERN);
}
