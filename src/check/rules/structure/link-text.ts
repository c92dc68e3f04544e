import { hasSection } from "../../../mustache/scan.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { formatVariables, TruthTable, branchOf } from "../../truth/truth-table.js";
import { accessibleName, nameWithSections, normaliseSpace } from "../../lib/texts.js";

export const linkText: BuiltInRule = {
  id: "link-text",
  severity: "warning",
  summary: "A link has no text, or its text doesn't say where it leads.",
  details:
    "A link has no text at all, always or with some variables (`{{#paid}}Your receipt{{/paid}}`), or its text " +
    'doesn\'t say where it leads, such as "click here".',
  why:
    "People can't see or hear a link without text: [WCAG 2.4.4, Link " +
    "Purpose](https://www.w3.org/WAI/WCAG22/Understanding/link-purpose-in-context). Screen readers list the links " +
    'of an email without the text around them, where every "click here" is the same: [failure F84 of ' +
    "WCAG](https://www.w3.org/WAI/WCAG22/Techniques/failures/F84). That is a note, because the text around the " +
    "link may explain it. Links that are images are checked by [image-alt](image-alt.md).",
  fix:
    'Name the destination: "Read your receipt", "Help centre". If the words have to stay, give the link an ' +
    "`aria-label` that begins with them.",
  examples: {
    wrong: [
      '‸<a href="https://shop.example/orders"></a>',
      '<p>To see your order, ‸<a href="https://shop.example/orders">click here</a>.</p>',
    ],
    right: [
      '<a href="https://shop.example/orders">See your order</a>',
      '<a href="https://shop.example/orders" aria-label="Click here to see your order">Click here</a>',
    ],
  },
  checkTemplate: (checked) => checked.document.named("a", "area").flatMap((link) => checkLink(link, checked) ?? []),
};

function checkLink(link: EmailElement, checked: CheckedTemplate): Finding | undefined {
  if (!link.attributes.has("href")) return undefined;
  const name = link.name === "area" ? (link.attribute("alt") ?? "").trim() : accessibleName(link);
  // If the link is an image, `image-alt` reports its alt text.
  if (name === "" && link.descendants.some((element) => element.name === "img")) return undefined;
  if (name === "") {
    const message = `The link to ${link.attribute("href") || "nowhere"} has no text, so people can't see or hear it.`;
    return { message, at: link.at(), hint: "Add text that says where it leads, or remove it." };
  }
  const sometimesEmpty = emptyInSomeCase(link, checked);
  if (sometimesEmpty) return sometimesEmpty;
  if (!SAYS_NOTHING.has(plain(name)) || (link.attribute("title") ?? "").trim() !== "") return undefined;
  const message = `The link text "${name}" doesn't say where it leads. Screen readers list links without the text around them.`;
  return {
    message,
    at: link.atUse(),
    hint: 'Name the destination, for example "Read your receipt".',
    severity: "info",
  };
}

function emptyInSomeCase(link: EmailElement, checked: CheckedTemplate): Finding | undefined {
  const hasOtherName = ["title", "alt"].some((name) => (link.attribute(name) ?? "").trim() !== "");
  if (hasOtherName || link.descendants.some(({ name, attributes }) => name === "img" && !attributes.get("alt")))
    return undefined;
  const part = { text: nameWithSections(link), around: branchOf(link) };
  const found = TruthTable.of(checked).blank(part, (text) => normaliseSpace(text) === "");
  if (!found) return undefined;
  const href = link.attribute("href") ?? "";
  const to = href === "" || hasSection(href) ? "" : ` to ${href}`;
  const message = `With ${formatVariables(found.variables)} the link${to} has no text, so people can't see or hear it.`;
  return { message, at: link.at(), hint: "Add text for that case, or move the whole link into the section." };
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s'’-]/gu, " ")
    .replaceAll("’", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Phrases without meaning out of context, in the most common languages. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  [
    "click | click here | click here now | click this link | here | this | this link | link | press here | tap here",
    "more | read more | learn more | see more | show more | view more | find out more | more info | more information | details | continue reading | go",
    "hier | hier klicken | klicken sie hier | klick hier | klicke hier | mehr | mehr lesen | weiterlesen | mehr erfahren | mehr infos | mehr dazu | link",
    "ici | cliquez ici | cliquer ici | clique ici | en savoir plus | lire la suite | lire plus | plus | plus d'infos | voir plus",
    "aquí | aqui | haz clic aquí | haga clic aquí | clic aquí | pulsa aquí | leer más | ver más | más información | saber más | más",
    "qui | clicca qui | leggi di più | leggi tutto | scopri di più | per saperne di più | altro",
    "clique aqui | leia mais | saiba mais | ver mais | mais | mais informações",
    "klik hier | lees meer | lees verder | meer | meer info | meer informatie | meer lezen",
    "klicka här | här | läs mer | mer | klik her | her | læs mere | mere | klikk her | les mer",
    "kliknij tutaj | kliknij | tutaj | czytaj więcej | więcej | dowiedz się więcej | zde | klikněte zde | více | číst dále",
    "нажмите здесь | нажмите сюда | здесь | тут | подробнее | читать далее | далее | ещё",
    "buraya tıklayın | tıklayın | buraya | devamını oku | daha fazla",
    "こちら | ここ | ここをクリック | こちらをクリック | 続きを読む | もっと見る | 詳細 | 点击这里 | 点击此处 | 这里 | 更多 | 了解更多 | 阅读更多 | 點擊這裡 | 這裡 | 자세히 | 여기 | 여기를 클릭 | 더 보기",
  ].flatMap((phrases) => phrases.split(" | ")),
);
