import {
  CircleQuestionMark,
  Inbox,
  LayoutList,
  type LucideIcon,
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
import type { ReactNode } from "react";
import { useIsConnected, useProject, useSource, useSummary } from "../state/data.js";
import { linkTo, useView } from "../state/view-store.js";
import type { View } from "../state/view.js";
import { Bar } from "../ui/bar.js";
import { Button, IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { KeyHint } from "../ui/keys.js";
import { Menu } from "../ui/popover.js";
import {
  type OpenDialog,
  setTheme,
  themeNames,
  themes,
  toggleSidebar,
  toggleVariables,
  useTheme,
} from "./shell-commands.js";
import { useUnread } from "../inbox/mail-list.js";
import { Badge } from "../ui/badge.js";
import { Spoken } from "../ui/text.js";
import field from "../ui/field.module.css";
import styles from "./header.module.css";

const themeIcons = { system: SunMoon, light: Sun, dark: Moon };

export const Header = ({ onOpen }: { readonly onOpen: (dialog: OpenDialog) => void }) => {
  const { name, can, templates } = useProject();
  const { screen, right, isSidebarHidden } = useView();
  const theme = useTheme();
  const hasTemplates = useSource().kind !== "local-service";
  const isTemplate = screen === "template" && templates.length > 0;
  const hasVariables = useSummary() !== undefined && isTemplate;
  return (
    <header className={styles.header}>
      <Bar isHigh>
        <div className={styles.side}>
          {hasTemplates && (
            <IconButton
              icon={PanelLeft}
              label="Template list"
              keys="["
              isPressed={isTemplate && !isSidebarHidden}
              disabled={!isTemplate}
              onClick={toggleSidebar}
            />
          )}
          <h1 title={name} className={styles.name}>
            {name}
          </h1>
          <ScreenSwitch />
        </div>
        <button type="button" className={styles.find} onClick={() => onOpen("palette")}>
          <Search size={16} aria-hidden />
          <span className="cut">Search or run…</span>
          <KeyHint keys="mod+k" />
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
          {hasTemplates && (
            <IconButton
              icon={PanelRight}
              label="Variables"
              keys="]"
              isPressed={hasVariables && right !== undefined}
              disabled={!hasVariables}
              onClick={toggleVariables}
            />
          )}
        </div>
      </Bar>
    </header>
  );
};

/** Whether the page is connected to the server, so that it follows the files. */
const ConnectionMark = () => {
  const { kind } = useSource();
  const isConnected = useIsConnected();
  if (kind === "copy")
    return (
      <span className={styles.mark} title="A static copy: you can't save or send from it.">
        <Lock size={14} aria-hidden />
        Read-only copy
      </span>
    );
  return isConnected ? (
    <span
      className={styles.mark}
      title={`Connected. ${kind === "preview" ? "Saved files" : "New emails"} show up here right away.`}
    >
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
  const { templates, can } = useProject();
  const { kind } = useSource();
  const unread = useUnread().size;
  if (!can.seeInbox) return null;
  return (
    <nav aria-label="Screens" className={classes(field.group, styles.screens)}>
      {kind !== "local-service" && (
        <ScreenLink screen="template" label="Templates" icon={LayoutList}>
          {templates.length > 0 && <Badge>{templates.length}</Badge>}
        </ScreenLink>
      )}
      <ScreenLink screen="inbox" label="Inbox" icon={Inbox}>
        {unread > 0 && (
          <Badge tone="accent">
            {unread}
            <Spoken> unread</Spoken>
          </Badge>
        )}
      </ScreenLink>
    </nav>
  );
};

const ScreenLink = ({
  screen,
  label,
  icon: Icon,
  children,
}: {
  readonly screen: View["screen"];
  readonly label: string;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) => (
  <a
    {...linkTo({ screen })}
    aria-current={useView().screen === screen ? "page" : undefined}
    className={classes(field.option, styles.screen)}
  >
    <Icon size={16} aria-hidden />
    <span className={styles.label}>{label}</span>
    {children}
  </a>
);
