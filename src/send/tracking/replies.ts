/**
 * The meaning of servers' replies, as words for parentheses: "soft-bounced (mailbox full)". Looked up by the part of
 * the enhanced code (RFC 3463 and its registry) after the class, then by the SMTP code itself (RFC 5321).
 */
const BY_ENHANCED_CODE: Readonly<Record<string, string>> = {
  "1.1": "no such mailbox",
  "1.2": "no such domain",
  "1.3": "not a valid address",
  "1.4": "the address is ambiguous",
  "1.6": "the mailbox has moved",
  "1.7": "the sender's address is not valid",
  "1.8": "the sender's domain is not accepted",
  "1.9": "the message was relayed to a system that does not speak SMTP",
  "1.10": "the domain does not accept email",
  "2.1": "mailbox disabled",
  "2.2": "mailbox full",
  "2.3": "message too large for the mailbox",
  "2.4": "the mailing list cannot be reached",
  "3.1": "the receiving server is full",
  "3.2": "the receiving server is not accepting email at the moment",
  "3.3": "the receiving server lacks a feature",
  "3.4": "message too large",
  "3.5": "the receiving server is misconfigured",
  "4.1": "no answer from the receiving server",
  "4.2": "the connection broke",
  "4.3": "the domain's directory could not be reached",
  "4.4": "no route to the receiving server",
  "4.5": "the receiving server is overloaded",
  "4.6": "a loop between servers",
  "4.7": "delivery was tried for too long",
  "5.3": "too many recipients",
  "6.1": "the content is of a kind that is not accepted",
  "6.3": "the content cannot be converted",
  "6.6": "the content cannot be reached",
  "7.2": "not allowed to write to this list",
  "7.5": "encryption failed",
  "7.7": "the message was changed in transit",
  "7.8": "the sender's login is not valid",
  "7.9": "the sender's login is too weak",
  "7.20": "no valid DKIM signature",
  "7.21": "no acceptable DKIM signature",
  "7.22": "the DKIM signature is of another domain",
  "7.23": "the SPF check failed",
  "7.24": "the SPF check could not be made",
  "7.25": "the sending server's address has no valid name",
  "7.26": "neither SPF nor DKIM passed",
  "7.27": "the sender's domain does not accept email",
  "7.28": "too many messages at once",
};

/** For codes without an entry above. */
const BY_SUBJECT: Readonly<Record<string, string>> = {
  1: "something is wrong with the address",
  2: "something is wrong with the mailbox",
  3: "the receiving server has a problem",
  4: "a network problem",
  5: "a protocol problem",
  6: "something is wrong with the content",
  7: "refused by the server's policy",
};

const BY_CODE: Readonly<Record<number, string>> = {
  421: "the receiving server is busy",
  450: "mailbox not available at the moment",
  451: "the receiving server has a problem",
  452: "the receiving server is full",
  455: "the receiving server has a problem",
  521: "the domain does not accept email",
  530: "the receiving server requires a login",
  541: "refused as spam",
  550: "mailbox not available",
  551: "the mailbox is somewhere else",
  552: "mailbox full",
  553: "not a valid address",
  554: "the receiving server refused it",
  555: "a protocol problem",
  556: "the domain does not accept email",
};

/** Reasons that servers only state in the text, with a generic code. */
const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/gr[ae]y-?list/i, "greylisted"],
  [/(?:mailbox|inbox|account|quota)\b.{0,40}\b(?:full|exceeded)|over ?quota|out of storage/i, "mailbox full"],
  [/\bspam\b|\bjunk\b|bulk mail/i, "refused as spam"],
  [/block(?:ed|list)|black-?list|\brbl\b|\bdnsbl\b|reputation/i, "the sending server is on a block list"],
  [/\bvirus\b|malware/i, "refused as a virus"],
  [/\bdmarc\b/i, "the DMARC check failed"],
  [/rate limit|too many (?:messages|connections)|throttl/i, "too many messages at once"],
  [
    /(?:user|recipient|mailbox|address)\b.{0,30}\b(?:unknown|not match|does(?: not|n't) exist)|no such (?:user|mailbox|recipient)|unknown (?:user|recipient)/i,
    "no such mailbox",
  ],
];

/** Codes that are specific enough; for others, the text says more. */
const EXACT = new Set(["1.1", "1.2", "1.10", "2.1", "2.2", "2.3", "3.4"]);

/**
 * What a server's reply means, in a few words; undefined if neither its code nor its text tells.
 *
 * @example
 * replyInWords({ code: 452, message: "4.2.2 The recipient's inbox is out of storage space" }); // "mailbox full"
 */
export function replyInWords({
  code,
  message,
}: {
  readonly code: number;
  readonly message: string;
}): string | undefined {
  const enhanced = enhancedCode(code, message);
  if (enhanced !== undefined && EXACT.has(enhanced)) return BY_ENHANCED_CODE[enhanced];
  const [, meaning] = BY_WORDS.find(([words]) => words.test(message)) ?? [];
  if (meaning !== undefined) return meaning;
  const bySubject = enhanced === undefined ? undefined : BY_SUBJECT[enhanced.slice(0, 1)];
  return BY_ENHANCED_CODE[enhanced ?? ""] ?? bySubject ?? BY_CODE[code];
}

/** Subject and detail of `5.1.1`; excludes IP addresses, and codes of a different class than the SMTP code. */
function enhancedCode(code: number, message: string): string | undefined {
  const match = /(?<![\d.])([245])\.(\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(message);
  const [, kind, rest] = match ?? [];
  return kind === String(code).slice(0, 1) || !/^[245]\d\d$/.test(String(code)) ? rest : undefined;
}
