import type { SourcePosition } from "../../../diagnostic.js";
import type { Rule } from "../../rule.js";
import { withoutTags } from "./plain.js";
import { allWords, wordingsOf } from "./wordings.js";

export const marketingWording: Rule = {
  id: "marketing-wording",
  summary: "A text advertises or speaks to a mailing list, and the service is for transactional email only.",
  severity: "info",
  isOptional: true,
  checkTemplate(checked) {
    if (![...SURE, ...HINTS].some((phrase) => phrase.test(allWords(checked)))) return [];
    const found = wordingsOf(checked).flatMap(({ text, at }) =>
      phrasesIn(withoutTags(text)).map((each) => ({ ...each, at })),
    );
    // A receipt may well have a line "10% off": one hint alone says nothing.
    const hints = new Set(found.map(({ phrase }) => phrase.toLowerCase()));
    const [first] = found.toSorted((a, b) => Number(b.isSure) - Number(a.isSure));
    if (!first || (!first.isSure && hints.size < 2)) return [];
    return [
      {
        message: `${quoted(found)}: this reads like advertising or a mailing list, and the service blocks accounts that send such emails.`,
        at: first.at(first.phrase),
        hint: "Send it through a marketing service, or say only what the recipient's own action led to.",
      },
    ];
  },
};

interface Found {
  readonly phrase: string;
  readonly isSure: boolean;
  readonly at: (part: string) => SourcePosition;
}

const SURE: readonly RegExp[] = [
  /\b(?:flash|summer|winter|spring|autumn|end[- ]of[- ]season|clearance|holiday|christmas|weekend|mega) sale\b|\bsale (?:ends|starts|now on|is on)\b/i,
  /\b(?:limited[- ]time|special|exclusive|one[- ]time) (?:offers?|deals?|discounts?)\b/i,
  /\b(?:black friday|cyber monday|prime day)\b/i,
  /\b(?:buy|shop|(?<!\b(?:your|the|this|an|my) )order) now\b|\bshop (?:the|our) (?:sale|collection|range|new)\b/i,
  /\buse (?:the )?(?:promo |discount |coupon |voucher )?code:? [A-Z0-9\uFFFC]{3,}/i,
  /\bbuy one,? get one\b|\bBOGO\b/i,
  /\b(?:don['’]t|do not) miss (?:out|this|these)\b|\blast chance (?:to|for)\b|\bwhile (?:stocks?|supplies) lasts?\b|\bhurry[,!]/i,
  /\bget \d{1,2} ?% off\b|\bsave (?:up to )?\d{1,2} ?%|\bup to \d{1,2} ?% off\b|\b\d{1,2} ?% off (?:your (?:next|first)|everything|all|on all|selected)\b/i,
  /\b(?:jetzt|nur heute) (?:kaufen|bestellen|zugreifen|sparen)\b|\bsommerschlussverkauf\b|\bsonderangebote?\b/i,
  /\b(?:achetez|profitez) maintenant\b|\boffre (?:exclusive|spéciale|limitée)\b|\bcompra ahora\b|\boferta (?:especial|exclusiva|limitada)\b/i,
  // What a mailing list says to its readers.
  /\bunsubscribe\b|\bopt[- ]out of (?:these|our|this|future)\b/i,
  /\b(?:subscribed|signed up|subscription) (?:to|for) (?:our|the|this) (?:\w+ )?(?:newsletter|mailing list|updates|emails?)\b/i,
  /\b(?:our|this|the|weekly|monthly|company) newsletter\b|\bmailing[- ]list\b/i,
  /\byou(?:['’]ve| have)? opted[- ]in\b/i,
  /\b(?:manage|update|change) (?:your )?(?:email|subscription|mailing|newsletter) preferences\b/i,
  /\bforward (?:this )?to a friend\b/i,
  /\b(?:newsletter )?abbestellen\b|\bvom newsletter abmelden\b/i,
  /\bse désabonner\b|\bse désinscrire\b|\bdarse de baja\b|\bcancelar (?:la|tu) suscripción a (?:nuestro|este)\b/i,
];

const HINTS: readonly RegExp[] = [
  /\b\d{1,2} ?% off\b/i,
  /\b(?:promo|discount|coupon|voucher) codes?\b|\brabattcodes?\b|\bgutscheincodes?\b|\bcode promo\b/i,
  /\bnew arrivals?\b|\bbest ?sellers?\b|\byou (?:may|might) also like\b|\brecommended for you\b/i,
  /\bfree (?:shipping|delivery|gift)\b/i,
  /\brefer a friend\b/i,
  /\bour (?:latest|best|hottest) (?:offers?|deals?|products)\b/i,
];

function phrasesIn(text: string): Omit<Found, "at">[] {
  const find = (patterns: readonly RegExp[], isSure: boolean) =>
    patterns.flatMap((pattern) => {
      const phrase = pattern.exec(text)?.[0];
      return phrase === undefined ? [] : [{ phrase: phrase.split("\uFFFC")[0]?.trim() ?? phrase, isSure }];
    });
  return [...find(SURE, true), ...find(HINTS, false)];
}

const MOST_QUOTED = 4;

function quoted(found: readonly Omit<Found, "at">[]): string {
  const phrases = [...new Set(found.map(({ phrase }) => `"${phrase}"`))];
  const more = phrases.length - MOST_QUOTED;
  return `${phrases.slice(0, MOST_QUOTED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
