import type { Rule } from "../../rule.js";
import { withoutTags } from "../language/plain.js";
import { wordingsOf } from "../language/wordings.js";

export const listWording: Rule = {
  id: "list-wording",
  summary: "A text speaks to the readers of a mailing list, and the service is for transactional email only.",
  severity: "info",
  checkTemplate(checked) {
    const found = wordingsOf(checked).flatMap(({ text, at }) => {
      const words = withoutTags(text);
      return PHRASES.flatMap((phrase) => {
        const part = phrase.exec(words)?.[0];
        return part === undefined ? [] : [{ part, at }];
      });
    });
    const [first] = found;
    if (!first) return [];
    const parts = [...new Set(found.map(({ part }) => `"${part}"`))].slice(0, 4).join(", ");
    return [
      {
        message: `${parts}: this is how mails to a list read, and the service blocks accounts that send such mails.`,
        at: first.at(first.part),
        hint: "Say which action of the reader led to this mail; a transactional mail has no list to leave.",
      },
    ];
  },
};

const PHRASES: readonly RegExp[] = [
  /\bunsubscribe\b|\bopt[- ]out of (?:these|our|this|future)\b/i,
  /\b(?:subscribed|signed up|subscription) (?:to|for) (?:our|the|this) (?:\w+ )?(?:newsletter|mailing list|updates|emails?)\b/i,
  /\b(?:our|this|the|weekly|monthly|company) newsletter\b|\bmailing[- ]list\b/i,
  /\byou(?:['’]ve| have)? opted[- ]in\b/i,
  /\b(?:manage|update|change) (?:your )?(?:email|subscription|mailing|newsletter) preferences\b/i,
  /\bforward (?:this )?to a friend\b/i,
  /\b(?:newsletter )?abbestellen\b|\bvom newsletter abmelden\b/i,
  /\bse désabonner\b|\bse désinscrire\b|\bdarse de baja\b|\bcancelar (?:la|tu) suscripción a (?:nuestro|este)\b/i,
];
