import { CircleQuestionMark, Moon, PanelLeft, PanelRight, Search, Send, Sun, SunMoon } from "lucide-react";
import { useProject, useSummary } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { Button, IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { Keys } from "../ui/keys.js";
import { Menu } from "../ui/menu.js";
import { ConnectionMark } from "./connection-mark.js";
import styles from "./header.module.css";
import { ScreenSwitch } from "./screen-switch.js";
import type { OpenDialog } from "./shell.js";
import { setTheme, themeNames, themes, useTheme } from "./theme.js";

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
