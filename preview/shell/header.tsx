import {
  CircleQuestionMark,
  Inbox,
  LayoutList,
  Lock,
  Moon,
  PanelLeft,
  PanelRight,
  Search,
  Send,
  Sun,
  SunMoon,
  Unplug,
} from "lucide-react";
import { useIsConnected, useProject, useSource, useSummary } from "../state/data.js";
import { addressOf, changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { Button, IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { Keys } from "../ui/keys.js";
import { Menu } from "../ui/popover.js";
import type { OpenDialog } from "./shell.js";
import { setTheme, themeNames, themes, useTheme } from "./theme.js";
import { useUnread } from "../inbox/unread.js";
import { Badge } from "../ui/badge.js";
import { Spoken } from "../ui/text.js";
import styles from "./header.module.css";

const themeIcons = { system: SunMoon, light: Sun, dark: Moon };

export const Header = ({ onOpen }: { readonly onOpen: (dialog: OpenDialog) => void }) => {
  const { name, can, templates } = useProject();
  const { screen, right, isSidebarHidden } = useView();
  const theme = useTheme();
  const isTemplate = screen === "template" && templates.length > 0;
  const hasVariables = useSummary() !== undefined && isTemplate;
  return (
    <header className={styles.header}>
      <Bar isHigh>
        <div className={styles.side}>
          <IconButton
            icon={PanelLeft}
            label="Template list"
            keys="["
            isPressed={isTemplate && !isSidebarHidden}
            disabled={!isTemplate}
            onClick={() => changeView({ isSidebarHidden: isSidebarHidden ? undefined : true })}
          />
          <h1 title={name} className={styles.name}>
            {name}
          </h1>
          <ScreenSwitch />
        </div>
        <button type="button" className={styles.find} onClick={() => onOpen("palette")}>
          <Search size={16} aria-hidden />
          <span>Search or run…</span>
          <Keys keys="mod+k" />
        </button>
        <div className={classes(styles.side, styles.end)}>
          <ConnectionMark />
          {can.send && (
            <Button
              icon={Send}
              disabled={templates.length === 0}
              onClick={() => onOpen("send")}
              className={styles.send}
            >
              <span>Send test</span>
            </Button>
          )}
          <Menu
            label="Theme"
            icon={themeIcons[theme]}
            items={themes.map((choice) => ({
              label: themeNames[choice],
              icon: themeIcons[choice],
              isChosen: choice === theme,
              onChoose: () => setTheme(choice),
            }))}
          />
          <IconButton
            icon={CircleQuestionMark}
            label="Keyboard shortcuts"
            keys="?"
            onClick={() => onOpen("shortcuts")}
          />
          <IconButton
            icon={PanelRight}
            label="Variables"
            keys="]"
            isPressed={hasVariables && right !== undefined}
            disabled={!hasVariables}
            onClick={() => changeView({ right: right ? undefined : "form" })}
          />
        </div>
      </Bar>
    </header>
  );
};

/** Whether the page is connected to the server, so that it follows the files. */
const ConnectionMark = () => {
  const { isCopy } = useSource();
  const isConnected = useIsConnected();
  if (isCopy)
    return (
      <span className={styles.mark} title="A static copy: you can't save or send from it.">
        <Lock size={14} aria-hidden />
        Read-only copy
      </span>
    );
  return isConnected ? (
    <span className={styles.mark} title="Connected. Saved files show up here right away.">
      <span aria-hidden className={styles.dot} />
      Live
    </span>
  ) : (
    <span className={classes(styles.mark, styles.gone)}>
      <Unplug size={14} aria-hidden />
      Reconnecting
    </span>
  );
};

/** Switches between templates and inbox. These are links, so that each can be opened in its own tab. */
const ScreenSwitch = () => {
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
