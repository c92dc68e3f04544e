import { Inbox, LayoutList } from "lucide-react";
import { useUnread } from "../inbox/unread.js";
import { useProject } from "../state/data.js";
import { addressOf, changeView, useView } from "../state/view-store.js";
import { Badge } from "../ui/badge.js";
import { Spoken } from "../ui/spoken.js";
import styles from "./header.module.css";

/** Switches between templates and inbox. These are links, so that each can be opened in its own tab. */
export const ScreenSwitch = () => {
  const { screen } = useView();
  const { templates, can } = useProject();
  const unread = useUnread().size;
  if (!can.seeInbox) return null;
  return (
    <nav aria-label="Screens" className={styles.screens}>
      {(
        [
          { id: "template", label: "Templates", icon: LayoutList, count: templates.length },
          { id: "inbox", label: "Inbox", icon: Inbox, count: unread },
        ] as const
      ).map(({ id, label, icon: Icon, count }) => (
        <a
          key={id}
          href={addressOf({ screen: id })}
          aria-current={screen === id ? "page" : undefined}
          className={styles.screen}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            changeView({ screen: id });
          }}
        >
          <Icon size={16} aria-hidden />
          <span className={styles.label}>{label}</span>
          {count > 0 && (
            <Badge tone={id === "inbox" ? "accent" : "neutral"}>
              {count}
              {id === "inbox" && <Spoken> unread</Spoken>}
            </Badge>
          )}
        </a>
      ))}
    </nav>
  );
};
