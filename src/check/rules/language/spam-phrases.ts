/** Wording that SpamAssassin scores, with the names of its rules: https://spamassassin.apache.org/tests_3_3_x.html */
export const SPAM_PHRASES: readonly (readonly [phrase: RegExp, rule: string])[] = [
  [/\bdear friends?\b/i, "DEAR_FRIEND"],
  [
    /\bdear (?:sirs?|madam|investors?|candidates?|winner|beneficiary|travell?er|car shopper|web|internet)\b/i,
    "DEAR_SOMETHING",
  ],
  [/\b(?:100 ?%|one hundred percent) guaranteed\b/i, "GUARANTEED_100_PERCENT"],
  [/\bguaranteed!/i, "BANG_GUAR"],
  [/\b(?:millions?|billions?) (?:of )?(?:us )?dollars\b|\$\d+(?:\.\d+)? ?(?:million|billion)\b/i, "BILLION_DOLLARS"],
  [/\bmoney[- ]back guarantee\b/i, "MONEY_BACK"],
  [/\bA(?:CT|ct) N(?:OW|ow)\b/, "ACT_NOW_CAPS"],
  [/\b(?:lowest|best) prices? (?:guaranteed|ever|on the)\b|\blow(?:est)? prices?!/i, "LOW_PRICE"],
  [/\bfree (?:instant|no[- ]obligation) quotes?\b|\bno[- ]obligation quotes?\b/i, "FREE_QUOTE_INSTANT"],
  [/\burgent.{0,16}\b(?:assistance|business|matter|confidential|notice|proposal|reply|request|response)\b/i, "URG_BIZ"],
  [
    /\bunclaimed (?:assets?|accounts?|money|balance|funds?|prizes?|rewards?|payments?|deposits?|inheritance)\b/i,
    "UNCLAIMED_MONEY",
  ],
  [/\bfinancial(?:ly)? (?:freedom|free|independence)\b/i, "FIN_FREE"],
  [/\b(?:bad|poor) credit\b(?! card)/i, "BAD_CREDIT"],
  [/\brefinance (?:your|now)\b/i, "REFINANCE_NOW"],
  [/\blose (?:\d+ (?:pounds|lbs|kg)|weight)\b/i, "DIET_1"],
  [/\bstrong buy\b/i, "STRONG_BUY"],
  [/\breplica watch(?:es)?\b/i, "REPLICA_WATCH"],
  [/\bmarketing partners?\b/i, "MARKETING_PARTNERS"],
  [
    /\b(?:to be|get) removed from (?:our|this|the) (?:mailing )?list\b|\bto be removed from.{0,20}\b(?:mailings|offers)\b/i,
    "EXCUSE_REMOVE",
  ],
  [/\bjoin (?:millions|thousands)\b/i, "JOIN_MILLIONS"],
  [/\brisk[- ]free\b/i, "RISK_FREE"],
  [/\blucky winner\b|\byou(?:['’]ve| have)? won (?:a|an|the|\$|€|£)|\bwon the lottery\b/i, "MONEY_LOTTERY"],
  [/\b(?:viagra|cialis|levitra)\b/i, "DRUGS_ERECTILE"],
  [/\bonline pharmac(?:y|ies)\b/i, "ONLINE_PHARMACY"],
  [/\bno medical exams?\b/i, "NO_MEDICAL"],
  [/\bno prescription (?:needed|required|necessary)\b/i, "NO_PRESCRIPTION"],
  [/\bone[- ]time (?:charge|investment|promotion)\b/i, "ONE_TIME"],
  [/\baffordable .{0,10}prices\b/i, "PRICES_ARE_AFFORDABLE"],
  [/\bto be removed,? please\b/i, "EXCUSE_4"],
  [/\bfree (?:porn|xxx|adult)\b/i, "FREE_PORN"],
];

/** https://blog.hubspot.com/blog/tabid/6307/bid/30684/the-ultimate-list-of-email-spam-trigger-words.aspx */
export const SPAM_WORDS: readonly RegExp[] = [
  /\b100 ?% free\b/i,
  /\bfree (?:money|cash|gift card)\b/i,
  /\b(?:make|earn) (?:money|cash|\$\d[\d,.]*)(?: fast| online| from home)?\b|\bextra (?:cash|income)\b|\bcash bonus\b/i,
  /\bdouble your (?:income|money|cash)\b/i,
  /\bno (?:credit check|strings attached|catch)\b/i,
  /\bonce in a lifetime\b|\bthis (?:isn['’]t|is not) spam\b/i,
  /\bclick here now\b|\bact (?:fast|immediately)!/i,
  /\bwork from home and\b|\bget rich\b|\${3,}/i,
  /\bcongratulations,? (?:winner|you(?:['’]ve| have)? won)\b|\bclaim your (?:free )?(?:prize|gift|reward)\b/i,
];

/** What it scores in a subject only. */
export const SPAM_SUBJECTS: readonly (readonly [phrase: RegExp, rule: string])[] = [
  [/^\s*\$\d[\d.,]*/, "SUBJ_DOLLARS"],
  [/^\s*buy(?:ing)? /i, "SUBJ_BUY"],
  [/\byour family\b/i, "SUBJ_YOUR_FAMILY"],
  [/\b(?:wipe out|remove|get (?:rid|out) of|eradicate) .{0,20}(?:\bowe|debt|obligation)/i, "TVD_SUBJ_WIPE_DEBT"],
  [/\bas seen (?:on|in)\b/i, "SUBJ_AS_SEEN"],
  [/\b(?:\p{L}[.\-_* ]){4,}\p{L}\b/u, "GAPPY_SUBJECT"],
];
