import { ExternalLink, Link2Off } from "lucide-react";
import type { LinkReport, TemplateReport } from "../../src/preview/contract.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { actionProps, ElementRow, ProblemCell, Tagged, useRows, WhereCell } from "./table.js";
import styles from "./table.module.css";
import { StatusCell, UrlRequestsBar, useUrlRequests } from "./url-requests.js";

export const LinksTab = ({ report: { links, places } }: { readonly report: TemplateReport }) => {
  const rows = useRows();
  const { byUrl } = useUrlRequests();
  if (links.length === 0)
    return (
      <EmptyState icon={Link2Off} title="No links">
        This email doesn't link anywhere.
      </EmptyState>
    );
  return (
    <>
      <UrlRequestsBar />
      <div {...rows} className={styles.scroll}>
        <table className={styles.table}>
          <caption className="spoken">Links in the compiled email</caption>
          <thead>
            <tr>
              <th scope="col" className={styles.text}>
                Text
              </th>
              <th scope="col" className={styles.address}>
                Address
              </th>
              {byUrl && (
                <th scope="col" className={styles.requested}>
                  Status
                </th>
              )}
              <th scope="col">Problems</th>
              <th scope="col" className={styles.where}>
                Where
              </th>
            </tr>
          </thead>
          <tbody>
            {links.map((link, at) => (
              <ElementRow key={at} place={link.place} first={<TextOf link={link} />}>
                <td>
                  <span className={styles.actions}>
                    <code className={classes(styles.cut, styles.whole)} title={link.href}>
                      <Tagged text={link.href} />
                    </code>
                    {/^https?:\/\/[^{}]+$/i.test(link.href) && (
                      <a
                        {...actionProps}
                        href={link.href}
                        target="_blank"
                        rel="noreferrer"
                        aria-label={`Open ${link.href}`}
                        title="Open link"
                        className={styles.open}
                      >
                        <ExternalLink size={14} aria-hidden />
                      </a>
                    )}
                  </span>
                </td>
                {byUrl && <StatusCell requests={byUrl.get(link.href)} />}
                <ProblemCell problems={link.problems} />
                <WhereCell places={places} place={link.place} />
              </ElementRow>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};

const TextOf = ({ link: { text } }: { readonly link: LinkReport }) =>
  text === "" ? <span className={styles.none}>No text</span> : <Tagged text={text} />;
