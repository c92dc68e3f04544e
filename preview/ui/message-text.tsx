import { Fragment, type ReactNode } from "react";
import { CopyCode } from "./copy.js";

/** The text of a finding: backticks mark code, and URLs become links. Code in a hint can be copied. */
export const MessageText = ({
  text,
  isHint = false,
  hasLinks = isHint,
}: {
  readonly text: string;
  readonly hasLinks?: boolean;
  readonly isHint?: boolean;
}) => (
  <>
    {text
      .replace(LONG_DATA, "$1…")
      .split("`")
      .map((part, at) => (
        <Fragment key={at}>
          {at % 2 === 1 ? <code>{part}</code> : hasLinks ? linked(part) : part}
          {at % 2 === 1 && isHint && <CopyCode code={part} />}
        </Fragment>
      ))}
  </>
);

/** The type of an image in a data URL is enough. */
const LONG_DATA = /(data:[\w/+.-]+;base64,)[\w+/=…]{24,}/g;

/** A URL, or a Markdown link. Links to other pages of the documentation would lead nowhere here. */
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s)]+[^\s).,:;])/g;

const linked = (text: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { 0: whole, 1: label, 2: target, 3: address = target ?? "", index } of text.matchAll(LINK)) {
    parts.push(text.slice(from, index));
    from = index + whole.length;
    const shown = label ?? address.replace(/^https?:\/\/(?:www\.)?|\/$/g, "");
    parts.push(
      address.startsWith("http") ? (
        <a key={index} href={address} target="_blank" rel="noreferrer">
          {shown}
        </a>
      ) : (
        shown
      ),
    );
  }
  return [...parts, text.slice(from)];
};

export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}</time>
);
