import { Monitor, Smartphone } from "lucide-react";
import { useMemo, useRef } from "react";
import type { MailDetail } from "../../src/preview/contract.js";
import { EmailFrame, useSize } from "../email/email-frame.js";
import { useIsNarrow } from "../shell/use-narrow.js";
import { useRemoteImages } from "../stage/remote-images.js";
import { SCHEMES, PHONE_WIDTH } from "../stage/panes.js";
import { useProject } from "../state/data.js";
import { desktop } from "../state/pane.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar, Space } from "../ui/bar.js";
import { Segmented, Toggle } from "../ui/field.js";
import { visible } from "../ui/text.js";
import styles from "./rendered-mail.module.css";

/** In pixels, on each side of the email, including its border. */
const gutter = 17;

/** The email as its recipient sees it, with its embedded images. */
export const RenderedMail = ({ mail }: { readonly mail: MailDetail }) => {
  const project = useProject();
  const remoteImages = useRemoteImages();
  const { mailScheme: scheme = "light", ...view } = useView();
  const isNarrow = useIsNarrow();
  const isMailOnPhone = view.isMailOnPhone ?? isNarrow;
  const width = isMailOnPhone ? PHONE_WIDTH : desktop.width;
  const place = useRef<HTMLDivElement>(null);
  const room = useSize(place);
  const scale = room.width > 0 ? Math.min(1, (room.width - 2 * gutter) / width) : 1;
  const contentIds = useMemo(
    () => Object.fromEntries(mail.attachments.flatMap(({ contentId, url }) => (contentId ? [[contentId, url]] : []))),
    [mail.attachments],
  );
  const html = useMemo(() => {
    const bases = [mail.assetsBase, project.assetsBase].flatMap((base) => (base === undefined ? [] : [`${base}/`]));
    return bases.reduce((text, base) => text.replaceAll(base, "assets/"), mail.html ?? "");
  }, [mail.html, mail.assetsBase, project.assetsBase]);
  return (
    <>
      <Bar label="Display options">
        <Segmented
          label="Width"
          value={isMailOnPhone ? "phone" : "desktop"}
          options={[
            { value: "desktop", label: "Desktop", icon: Monitor },
            { value: "phone", label: "Phone", icon: Smartphone },
          ]}
          onChange={(next) => changeView({ isMailOnPhone: next === "phone" })}
        />
        <Segmented
          label="Light or dark"
          value={scheme}
          options={SCHEMES}
          onChange={(next) => changeView({ mailScheme: next === "light" ? undefined : next })}
        />
        <Space />
        <Toggle label="Remote images" isOn={remoteImages.areShown} onChange={remoteImages.toggle} />
      </Bar>
      <div ref={place} className={styles.place} tabIndex={0} role="region" aria-label="Rendered email">
        <div className={styles.sheet}>
          <EmailFrame
            html={html}
            title={`Email: ${visible(mail.subject)}`}
            width={width}
            scale={scale}
            look={{ scheme }}
            showsRemoteImages={remoteImages.areShown}
            contentIds={contentIds}
          />
        </div>
      </div>
    </>
  );
};
