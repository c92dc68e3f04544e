import { Braces, Ellipsis, SquareCode } from "lucide-react";
import { Menu } from "../ui/menu.js";
import { copyCall, copyJson } from "./actions.js";
import type { Editing } from "./editing.js";
import { PresetsMenu } from "./presets-menu.js";

export const PanelMenus = ({ editing }: { readonly editing: Editing }) => (
  <>
    <PresetsMenu editing={editing} />
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
