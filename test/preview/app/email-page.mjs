// Functions that the browser tests of the email's frame call in the page. Bundled by rolldown.
import { morph } from "../../../preview/email/morph.ts";
import { prepareDocument } from "../../../preview/email/prepare-document.ts";
import { ShownEmail } from "../../../preview/email/shown-email.ts";

const usual = { scheme: "light", areImagesBlocked: false, textSize: 100, isRightToLeft: false };
const host = document.querySelector("#email");
let onShown;
let height = 0;
const email = new ShownEmail(host, {
  shown: (shown) => onShown?.(shown),
  height: (next) => {
    height = next;
  },
});

const frame = () => host.querySelector("iframe");
const shown = () => frame().contentDocument;
const onScreen = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

const change = ({ html, showsRemoteImages = false, contentIds = {}, ...look }) =>
  new Promise((resolve) => {
    onShown = resolve;
    email.show({ html, title: "Email", look: { ...usual, ...look }, showsRemoteImages, contentIds });
  });

globalThis.emailPage = {
  change,
  show: (wanted) => change(wanted).then(onScreen),
  close: () => email.close(),
  frames: () => [...host.querySelectorAll("iframe")].map(({ contentWindow }) => contentWindow.location.href),
  height: () => height,
  style: (selector, property) => {
    const element = shown().querySelector(selector);
    return shown().defaultView.getComputedStyle(element).getPropertyValue(property);
  },
  box: (selector) => shown().querySelector(selector).getBoundingClientRect().toJSON(),
  attribute: (selector, name) => shown().querySelector(selector).getAttribute(name),
  count: (selector) => shown().querySelectorAll(selector).length,
  outer: () => shown().documentElement.outerHTML,
  text: () => shown().body.textContent.trim(),
  picture: (selector) => shown().querySelector(selector).currentSrc,
  naturalWidth: (selector) => shown().querySelector(selector).naturalWidth,
  mark: (selector) => {
    shown().querySelector(selector).isMarked = true;
  },
  isMarked: (selector) => shown().querySelector(selector)?.isMarked === true,
  click: (selector) =>
    shown()
      .querySelector(selector)
      .dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })),

  /** The parts of a prepared document that could still run code or navigate. */
  active: (html) => {
    const prepared = prepareDocument(html, { face: "light", isRightToLeft: false });
    const elements = prepared.querySelectorAll(
      "script, iframe, frame, object, embed, base, link, template, meta[http-equiv]",
    );
    const attributes = [...prepared.querySelectorAll("*")].flatMap((element) => [...element.attributes]);
    const isActive = ({ name, value }) =>
      /^(?:form)?action$|^srcdoc$|^ping$/.test(name) || /^\s*javascript:/i.test(value);
    return [...elements, ...attributes.filter(isActive)].map(({ nodeName }) => nodeName);
  },
  /** The pairs in which morphing the first document does not produce the second. */
  morphs: (pairs) =>
    pairs.filter(([from, to]) => {
      const [one, other, wanted] = [from, to, to].map((html) => new DOMParser().parseFromString(html, "text/html"));
      morph(one.documentElement, other.documentElement);
      return !one.documentElement.isEqualNode(wanted.documentElement);
    }),
};
