import { Braces, Ellipsis, FlaskConical, SquareCode } from "lucide-react";
import { Menu } from "../ui/menu.js";
import { applyPreset, copyCall, copyJson } from "./actions.js";
import type { Editing } from "./editing.js";
import styles from "./panel.module.css";
import { presets } from "./presets/presets.js";

export const PanelMenus = ({ editing }: { readonly editing: Editing }) => (
  <>
    <Menu
      label="Presets"
      icon={FlaskConical}
      items={presets.map((preset) => {
        const obstacle = editing.obstacle === undefined ? preset.obstacle(editing.schema) : "Read-only";
        return {
          label: preset.name,
          note: obstacle ?? preset.note,
          isDisabled: obstacle !== undefined || editing.draft?.problem !== undefined,
          onChoose: () => void applyPreset(editing, preset),
        };
      })}
    >
      <span className={styles.presets}>Presets</span>
    </Menu>
    <Menu
      label="More"
      icon={Ellipsis}
      items={[
        { label: "Copy as JSON", icon: Braces, onChoose: () => copyJson(editing) },
        { label: "Copy as mailer.send(…)", icon: SquareCode, onChoose: () => copyCall(editing) },
      ]}
    />
  </>
);
