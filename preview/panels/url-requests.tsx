import { Globe } from "lucide-react";
import type { UrlRequest } from "../../src/preview/contract.js";
import { useSource, useSummary } from "../state/data.js";
import { counted, grouped } from "../state/counts.js";
import { Badge } from "../ui/badge.js";
import { Bar, Space } from "../ui/bar.js";
import { Button } from "../ui/button.js";
import { KeyedStore } from "../state/kept.js";
import styles from "./table.module.css";
import { messageOf } from "../data/source.js";

export interface UrlRequests {
  /** By URL as written in the compiled HTML. Undefined until the URLs were requested. */
  readonly byUrl?: ReadonlyMap<string, readonly UrlRequest[]>;
  readonly trouble?: string;
  readonly isAsking: boolean;
}

const known = new KeyedStore<UrlRequests>();
const none: UrlRequests = { isAsking: false };

/** The results of requesting the URLs of the view's template. Requests are only sent when the user starts them. */
export const useUrlRequests = (): UrlRequests & { readonly ask: () => void } => {
  const name = useSummary()?.name ?? "";
  const source = useSource();
  const requests = known.use(name) ?? none;
  const ask = async () => {
    known.set(name, { ...requests, isAsking: true });
    const answer = await source.requests(name).then(
      (all) => ({ byUrl: grouped(all, ({ written }) => written) }),
      (error: unknown) => ({ trouble: messageOf(error) }),
    );
    known.set(name, { ...answer, isAsking: false });
  };
  return { ...requests, ask: () => void ask() };
};

const isFailed = ({ status }: UrlRequest) => status === undefined || status >= 400;

/** Above the links and the images, which are requested together. */
export const UrlRequestsBar = () => {
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
    <Bar label="URL tools">
      <p role="status" className={styles.status}>
        {isAsking ? "Requesting links and images…" : (trouble ?? status)}
      </p>
      <Space />
      <Button icon={Globe} disabled={isAsking} onClick={ask}>
        Request all URLs
      </Button>
    </Bar>
  );
};

/** The response of a URL, or of each URL that a tag with variables can produce. */
export const StatusCell = ({ requests }: { readonly requests: readonly UrlRequest[] | undefined }) => (
  <td>
    {requests?.map((request) => {
      const { url, status, movedTo, failure } = request;
      const why = failure ?? (movedTo === undefined ? "" : `redirects to ${movedTo}`);
      return (
        <p key={url} className={styles.cut} title={[url, why].filter(Boolean).join(": ")}>
          <Badge tone={isFailed(request) ? "error" : "good"}>{status ?? "Failed"}</Badge> {why}
        </p>
      );
    }) ?? <span className={styles.none}>–</span>}
  </td>
);
