import { types } from "node:util";
import { emailOf } from "../send/message/addresses.js";
import { isRecord } from "../send/message/schema-walk.js";
import { checkNames, type Names } from "../send/option-names.js";
import { checkValue } from "./check-value.js";
import type { Expectation, ExpectedAttachment } from "./expectation.js";
import { visiblePart } from "./html-words.js";
import { isMatcher, isStringPattern, likeness, matches, STRING_PATTERN } from "./partial-match.js";
import type { AnyMail, RecordedAttachment } from "./recorded-mail.js";

/** How one key of an expectation is compared with recorded messages. The expectation has been checked before. */
export interface ExpectedField {
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

const ATTACHMENT: Names<ExpectedAttachment> = { filename: true, contentType: true, contentId: true, content: true };

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
