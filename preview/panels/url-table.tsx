import { FileCode, Globe, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import type { LinkReport, RowProblem, TemplateReport, UrlRequest } from "../../src/preview/contract.js";
import { counted, countsOf, grouped, toneOf } from "../state/counts.js";
import { useSource, useSummary } from "../state/data.js";
import { type Answer, AnswerStore } from "../state/stores.js";
import { useView } from "../state/view-store.js";
import { Badge, SeverityMark } from "../ui/badge.js";
import { IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { MiddleCut, MessageText } from "../ui/text.js";
import { actionProps, RequestBar, rowProps, useRows } from "./rows.js";
import { placeText, showElement, showSource, useEditor } from "./show.js";
import styles from "./url-table.module.css";

interface Column {
  readonly name: string;
  /** If undefined, the room that the others leave. */
  readonly width?: number | string;
}

/** The links or the images of the email, which can be requested together. */
export const UrlTable = ({
  caption,
  columns,
  isWide = false,
  children,
}: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) => {
  const rows = useRows();
  const { byUrl } = useUrlRequests();
  const last: readonly Column[] = [
    ...(byUrl ? [{ name: "Status", width: "16%" }] : []),
    { name: "Problems" },
    { name: "Where", width: 196 },
  ];
  return (
    <>
      <UrlRequestsBar />
      <div {...rows} className="scroll">
        <table className={classes(styles.table, isWide && styles.many)}>
          <caption className="spoken">{caption}</caption>
          <thead>
            <tr>
              {[...columns, ...last].map(({ name, width }) => (
                <th key={name} scope="col" style={{ width }}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </>
  );
};

/** A row about an element of the email. Its first cell is a button that highlights the element. */
export const UrlRow = ({
  url,
  of: { problems, place },
  places,
  first,
  children,
}: {
  /** As written in the compiled HTML. */
  readonly url: string;
  readonly of: Pick<LinkReport, "problems" | "place">;
  readonly places: TemplateReport["places"];
  readonly first: ReactNode;
  readonly children: ReactNode;
}) => {
  const view = useView();
  const { byUrl } = useUrlRequests();
  const isShown = place !== undefined && view.place === place;
  return (
    <tr data-row-of className={classes(styles.row, isShown && styles.shown)}>
      <td>
        <button
          type="button"
          {...rowProps}
          aria-current={isShown || undefined}
          className={styles.cover}
          onClick={() => showElement(isShown ? undefined : place)}
        >
          {first}
        </button>
      </td>
      {children}
      {byUrl && <StatusCell requests={byUrl.get(url)} />}
      <ProblemCell problems={problems} />
      <WhereCell places={places} place={place} />
    </tr>
  );
};

/** Where an element was written, with buttons to go there. */
const WhereCell = ({
  places,
  place,
}: {
  readonly places: TemplateReport["places"];
  readonly place: number | undefined;
}) => {
  const edit = useEditor();
  const at = place === undefined ? undefined : places[place];
  return (
    <td className={styles.where}>
      {at && (
        <span className={styles.actions}>
          <span title={at.file} className={styles.place}>
            <MiddleCut text={placeText(at)} />
          </span>
          <IconButton {...actionProps} icon={FileCode} label="Show in source" onClick={() => showSource(at, place)} />
          {edit && <IconButton {...actionProps} icon={SquarePen} label="Open in editor" onClick={() => edit(at)} />}
        </span>
      )}
    </td>
  );
};

/** The row's problems: one line each, and the whole message in the selected row. */
const ProblemCell = ({ problems }: { readonly problems: readonly RowProblem[] }) => (
  <td>
    {problems.map(({ severity, message }, at) => (
      <p key={message} className={styles.problem} title={message}>
        <SeverityMark severity={severity} />
        <span className="cut">
          <MessageText text={message} />
        </span>
        {at === 0 && problems.length > 1 && (
          <b className={styles.more}>
            <Badge tone={toneOf(countsOf(problems.slice(1)))}>+{problems.length - 1}</Badge>
          </b>
        )}
      </p>
    ))}
  </td>
);

/** Text with its Mustache tags highlighted. */
export const Tagged = ({ text }: { readonly text: string }) => (
  <>
    {text.split(/(\{\{[^}]*\}\}\}?)/).map((part, at) =>
      at % 2 === 1 ? (
        <span key={at} className={styles.tag}>
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
);

/** By URL as written in the compiled HTML. */
type UrlRequests = ReadonlyMap<string, readonly UrlRequest[]>;

const requestsOf = new AnswerStore<UrlRequests>();

/** The results of requesting the URLs of the view's template. Requests are only sent when the user starts them. */
export const useUrlRequests = () => {
  const name = useSummary()?.name ?? "";
  const source = useSource();
  const { value: byUrl, trouble, isAsking }: Answer<UrlRequests> = requestsOf.use(name) ?? { isAsking: false };
  const ask = () => {
    const requests = source.requests(name).then((all) => grouped(all, ({ written }) => written));
    void requestsOf.ask(name, requests);
  };
  return { byUrl, trouble, isAsking, ask };
};

const isFailed = ({ status }: UrlRequest) => status === undefined || status >= 400;

/** Above the links and the images, which are requested together. */
const UrlRequestsBar = () => {
  const { byUrl, trouble, isAsking, ask } = useUrlRequests();
  const { kind } = useSource();
  if (kind === "copy") return null;
  const all = [...(byUrl?.values() ?? [])].flat();
  const failed = all.filter(isFailed).length;
  const status = !byUrl
    ? "Links and images haven't been requested."
    : all.length === 0
      ? "Nothing was requested: no URL is both public and free of variables."
      : `${counted(all.length, "public URL")} requested, ${failed === 0 ? "none" : failed} failed.`;
  return (
    <RequestBar
      label="URL tools"
      status={isAsking ? "Requesting links and images…" : (trouble ?? status)}
      icon={Globe}
      action="Request all URLs"
      isAsking={isAsking}
      onAsk={ask}
    />
  );
};

/** The response of a URL, or of each URL that a tag with variables can produce. */
const StatusCell = ({ requests }: { readonly requests: readonly UrlRequest[] | undefined }) => (
  <td>
    {requests?.map((request) => {
      const { url, status, movedTo, failure } = request;
      const why = failure ?? (movedTo === undefined ? "" : `redirects to ${movedTo}`);
      return (
        <p key={url} className={styles.cut} title={[url, why].filter(Boolean).join(": ")}>
          <Badge tone={isFailed(request) ? "error" : "good"}>{status ?? "Failed"}</Badge> {why}
        </p>
      );
    }) ?? <span className="soft">–</span>}
  </td>
);
