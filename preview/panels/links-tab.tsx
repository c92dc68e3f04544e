import { ExternalLink, Link2Off } from "lucide-react";
import type { LinkReport, TemplateReport } from "../../src/preview/contract.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { actionProps } from "./rows.js";
import { Tagged, UrlRow, UrlTable } from "./url-table.js";
import styles from "./url-table.module.css";

export const LinksTab = ({ report: { links, places } }: { readonly report: TemplateReport }) => {
  if (links.length === 0)
    return (
      <EmptyState icon={Link2Off} title="No links">
        This email doesn't link anywhere.
      </EmptyState>
    );
  return (
    <UrlTable
      caption="Links in the compiled email"
      columns={[
        { name: "Text", width: "18%" },
        { name: "Address", width: "30%" },
      ]}
    >
      {links.map((link, at) => (
        <UrlRow key={at} url={link.href} of={link} places={places} first={<TextOf link={link} />}>
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
                  className="mini"
                >
                  <ExternalLink size={14} aria-hidden />
                </a>
              )}
            </span>
          </td>
        </UrlRow>
      ))}
    </UrlTable>
  );
};

const TextOf = ({ link: { text } }: { readonly link: LinkReport }) =>
  text === "" ? <span className="soft">No text</span> : <Tagged text={text} />;
