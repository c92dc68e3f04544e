/**
 * What servers mean by their answers, in plain words that go into a bracket: "soft-bounced (mailbox full)". By the
 * enhanced codes (RFC 3463 and the registry that continues it) behind their class, then by the SMTP code itself (RFC 5321).
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
  "1.10": "the domain takes no mail",
  "2.1": "mailbox disabled",
  "2.2": "mailbox full",
  "2.3": "message too large for the mailbox",
  "2.4": "the mailing list cannot be reached",
  "3.1": "the receiving server is full",
  "3.2": "the receiving server takes no mail at present",
  "3.3": "the receiving server lacks a feature",
  "3.4": "message too large",
  "3.5": "the receiving server is set up wrongly",
  "4.1": "no answer from the receiving server",
  "4.2": "the connection broke",
  "4.3": "the domain's directory could not be asked",
  "4.4": "no way to the receiving server",
  "4.5": "the receiving server is overloaded",
  "4.6": "a loop between servers",
  "4.7": "tried for too long",
  "5.3": "too many recipients",
  "6.1": "the content is of a kind that is not accepted",
  "6.3": "the content cannot be converted",
  "6.6": "the content cannot be reached",
  "7.2": "not allowed to write to this list",
  "7.5": "encryption failed",
  "7.7": "the message was changed on its way",
  "7.8": "the sender's login is not valid",
  "7.9": "the sender's login is too weak",
  "7.20": "no valid DKIM signature",
  "7.21": "no acceptable DKIM signature",
  "7.22": "the DKIM signature is of another domain",
  "7.23": "the SPF check failed",
  "7.24": "the SPF check could not be made",
  "7.25": "the sending server's address has no valid name",
  "7.26": "neither SPF nor DKIM passed",
  "7.27": "the sender's domain takes no mail",
  "7.28": "too much mail at once",
};

/** Of codes that have no words of their own above. */
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
  450: "mailbox not available at present",
  451: "the receiving server has a problem",
  452: "the receiving server is full",
  455: "the receiving server has a problem",
  521: "the domain takes no mail",
  530: "the receiving server wants a login",
  541: "refused as spam",
  550: "mailbox not available",
  551: "the mailbox is somewhere else",
  552: "mailbox full",
  553: "not a valid address",
  554: "the receiving server refused it",
  555: "a protocol problem",
  556: "the domain takes no mail",
};

/** What servers say in words and hide behind a general code. */
const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/gr[ae]y-?list/i, "greylisted"],
  [/(?:mailbox|inbox|account|quota)\b.{0,40}\b(?:full|exceeded)|over ?quota|out of storage/i, "mailbox full"],
  [/\bspam\b|\bjunk\b|bulk mail/i, "refused as spam"],
  [/block(?:ed|list)|black-?list|\brbl\b|\bdnsbl\b|reputation/i, "the sending server is on a block list"],
  [/\bvirus\b|malware/i, "refused as a virus"],
  [/\bdmarc\b/i, "the DMARC check failed"],
  [/rate limit|too many (?:messages|connections)|throttl/i, "too much mail at once"],
  [
    /(?:user|recipient|mailbox|address)\b.{0,30}\b(?:unknown|not found|does(?: not|n't) exist)|no such (?:user|mailbox|recipient)|unknown (?:user|recipient)/i,
    "no such mailbox",
  ],
];

/** Codes that say all that there is to say; others are known better by the words behind them. */
const EXACT = new Set(["1.1", "1.2", "1.10", "2.1", "2.2", "2.3", "3.4"]);

/**
 * What a server meant, in a few plain words; undefined where neither its code nor its words tell.
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
  const [, said] = BY_WORDS.find(([words]) => words.test(message)) ?? [];
  if (said !== undefined) return said;
  const bySubject = enhanced === undefined ? undefined : BY_SUBJECT[enhanced.slice(0, 1)];
  return BY_ENHANCED_CODE[enhanced ?? ""] ?? bySubject ?? BY_CODE[code];
}

/** Subject and detail of `5.1.1`; not of an IP address, and only of the class that the SMTP code has. */
function enhancedCode(code: number, message: string): string | undefined {
  const found = /(?<![\d.])([245])\.(\d{1,3}\.\d{1,3})(?!\.?\d)/.exec(message);
  const [, kind, rest] = found ?? [];
  return kind === String(code).slice(0, 1) || !/^[245]\d\d$/.test(String(code)) ? rest : undefined;
}
