import { type ComponentType, type ReactNode, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { whenIdle } from "../state/window.js";

/**
 * A component whose code is loaded when it is first shown or when the page is idle, so that the email does not wait for
 * code that is not on the screen.
 *
 * @example
 * const Chart = later(async () => (await import("./chart.js")).Chart);
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  let Loaded: ComponentType<Props> | undefined;
  const ready = async () => {
    Loaded ??= await load();
  };
  whenIdle(ready);
  return function Later(props: Props) {
    const [, setIsReady] = useState(Loaded !== undefined);
    useLayoutEffect(() => {
      // Before the next frame, because the code that opened it may move the focus into it.
      if (!Loaded) void ready().then(() => flushSync(() => setIsReady(true)));
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
