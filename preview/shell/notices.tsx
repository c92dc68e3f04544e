import { CircleCheck, TriangleAlert, X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { serverGone } from "../data/live.js";
import { MessageText } from "../ui/message-text.js";
import { useIsConnected } from "../state/data.js";
import { IconButton } from "../ui/button.js";
import { classes } from "../ui/classes.js";
import { dismiss, noticeList } from "../ui/notice.js";
import styles from "./notices.module.css";

/** Notices above everything else, including dialogs: a popover that is opened again for every notice. */
export const Notices = () => {
  const all = useSyncExternalStore(noticeList.subscribe, noticeList.current);
  const isConnected = useIsConnected();
  // The connection bar already shows this.
  const notices = isConnected ? all : all.filter(({ text }) => !text.endsWith(serverGone));
  const list = useRef<HTMLDivElement>(null);
  const last = notices.findLast(({ kind }) => kind !== "silent")?.id;
  useEffect(() => {
    const { current } = list;
    if (!current) return;
    if (current.matches(":popover-open")) current.hidePopover();
    if (last !== undefined) current.showPopover();
  }, [last]);
  return (
    <>
      <div role="status" aria-live="polite" className="spoken">
        {all.map(({ id, text }) => (
          <p key={id}>{text.replaceAll("`", "")}</p>
        ))}
      </div>
      <div ref={list} popover="manual" className={styles.notices}>
        {notices.map(({ id, text, kind }) =>
          kind === "silent" ? null : (
            <div key={id} className={classes(styles.notice, styles[kind])}>
              {kind === "good" ? <CircleCheck size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
              {/* The status above already announces this. */}
              <p aria-hidden>
                <MessageText text={text} />
              </p>
              <IconButton icon={X} label="Dismiss" onClick={() => dismiss(id)} />
            </div>
          ),
        )}
      </div>
    </>
  );
};
