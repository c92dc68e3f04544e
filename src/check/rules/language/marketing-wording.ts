import type { BuiltInRule } from "../../rule.js";
import { wordingsOf } from "../../lib/texts.js";

export const marketingWording: BuiltInRule = {
  id: "marketing-wording",
  severity: "info",
  isOptional: true,
  summary: "The text advertises or addresses a mailing list, but the service is for transactional email only.",
  details:
    'The text advertises ("shop now", a sale, a promo code) or addresses a mailing list ("unsubscribe", "you ' +
    'subscribed to our newsletter"). The rule is off unless the configuration has `check: { extends: "all" }` ' +
    "or sets its level.",
  why:
    "The service is for transactional email only. Marketing email gets an account blocked, and a transactional " +
    "email has no list to unsubscribe from. It is a note, because no wording proves what an email is for. " +
    '"10% off" alone is not reported, because it may be a line of a receipt. The rule only knows English phrases.',
  fix:
    "Send advertising through a marketing service. In a transactional email, write about what the recipient did. " +
    'If notifications can be turned off, say so: "Change your notification settings".',
  examples: {
    wrong: [
      "<p>‸Shop now: everything is on sale.</p>",
      '<p>You subscribed to our newsletter. <a href="https://shop.example/stop">‸Unsubscribe</a></p>',
    ],
    right: [
      "<p>Thank you for your order of 14 March.</p>",
      '<p><a href="https://shop.example/settings">Change your notification settings</a></p>',
    ],
  },
  *checkTemplate(checked) {
    const matches = wordingsOf(checked).flatMap(({ words, at }) =>
      PHRASES.flatMap((pattern) => {
        const phrase = pattern.exec(words)?.[0].split("\uFFFC")[0]?.trim();
        return phrase === undefined ? [] : [{ phrase, at }];
      }),
    );
    const [first] = matches;
    if (!first) return;
    const phrases = [...new Set(matches.map(({ phrase }) => `"${phrase}"`))];
    yield {
      message: `${phrases.slice(0, MOST_QUOTED).join(", ")}: this reads like advertising or a mailing list. The service blocks accounts that send such emails.`,
      at: first.at(first.phrase),
      hint: "Send it through a marketing service, or write only about what the recipient did.",
    };
  },
};

const MOST_QUOTED = 4;

/** Not just "10% off", which may be a line of a receipt. */
const PHRASES: readonly RegExp[] = [
  /\b(?:flash|summer|winter|spring|autumn|end[- ]of[- ]season|clearance|holiday|christmas|weekend|mega) sale\b|\bsale (?:ends|starts|now on|is on)\b/i,
  /\b(?:limited[- ]time|special|exclusive|one[- ]time) (?:offers?|deals?|discounts?)\b/i,
  /\b(?:black friday|cyber monday|prime day)\b/i,
  /\b(?:buy|shop|(?<!\b(?:your|the|this|an|my) )order) now\b|\bshop (?:the|our) (?:sale|collection|range|new)\b/i,
  /\buse (?:the )?(?:promo |discount |coupon |voucher )?code:? [A-Z0-9\uFFFC]{3,}/i,
  /\bbuy one,? get one\b|\bBOGO\b/i,
  /\b(?:don['’]t|do not) miss (?:out|this|these)\b|\blast chance (?:to|for)\b|\bwhile (?:stocks?|supplies) lasts?\b|\bhurry[,!]/i,
  /\bget \d{1,2} ?% off\b|\bsave (?:up to )?\d{1,2} ?%|\bup to \d{1,2} ?% off\b|\b\d{1,2} ?% off (?:your (?:next|first)|everything|all|on all|selected)\b/i,
  // Phrases of mailing lists.
  /\bunsubscribe\b|\bopt[- ]out of (?:these|our|this|future)\b|\byou(?:['’]ve| have)? opted[- ]in\b/i,
  /\b(?:subscribed|signed up|subscription) (?:to|for) (?:our|the|this) (?:\w+ )?(?:newsletter|mailing list|updates|emails?)\b/i,
  /\b(?:our|this|the|weekly|monthly|company) newsletter\b|\bmailing[- ]list\b/i,
  /\b(?:manage|update|change) (?:your )?(?:email|subscription|mailing|newsletter) preferences\b/i,
];
