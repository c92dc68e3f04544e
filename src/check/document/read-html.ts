import { Parser } from "htmlparser2";
import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import type { DocumentInput } from "./email-document.js";
import { EmailComment, EmailElement, EmailText } from "./nodes.js";
import type { Sources } from "./sources.js";

interface ReadHtml {
  readonly root: EmailElement;
  readonly elements: readonly EmailElement[];
  readonly texts: readonly EmailText[];
  readonly comments: readonly EmailComment[];
  readonly doctype: string | undefined;
}

/** Parses HTML as it is nested. Unlike a browser, it moves nothing out of tables. */
export function readHtml({ html, tags, places }: DocumentInput, sources: Sources): ReadHtml {
  const context = { tags, sources, isSited: places.length > 0 };
  const root = new EmailElement("", undefined, { tokenised: new Map() }, context);
  const elements: EmailElement[] = [];
  const texts: EmailText[] = [];
  const comments: EmailComment[] = [];
  let doctype: string | undefined;
  let open = root;
  let text = "";
  let textStart = 0;
  const endText = (): void => {
    if (text === "") return;
    const node = new EmailText(text, textStart, open, context);
    open.children.push(node);
    texts.push(node);
    text = "";
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      endText();
      const tokenised = new Map(Object.entries(attributes));
      const site = tokenised.get(SITE_ATTRIBUTE);
      tokenised.delete(SITE_ATTRIBUTE);
      const place = site === undefined ? undefined : places[Number(site)];
      // A closing tag can be a whole element: </br>.
      const start = html.startsWith("</", parser.startIndex) ? undefined : parser.startIndex;
      const element = new EmailElement(name, open, { tokenised, place, start }, context);
      open.children.push(element);
      elements.push(element);
      open = element;
    },
    onclosetag() {
      endText();
      open = open.parent ?? root;
    },
    ontext(part) {
      if (text === "") textStart = parser.startIndex;
      text += part;
    },
    oncomment(data) {
      endText();
      const comment = new EmailComment(data, open, context);
      open.children.push(comment);
      comments.push(comment);
    },
    onprocessinginstruction(_name, data) {
      // Browsers ignore a doctype after the first element.
      if (/^!doctype\b/i.test(data) && elements.length === 0)
        doctype ??= data.slice("!doctype".length).trim().toLowerCase();
    },
  });
  parser.end(html);
  return { root, elements, texts, comments, doctype };
}
