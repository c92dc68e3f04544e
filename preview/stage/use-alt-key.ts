import { useEffect, useState } from "react";

/** Whether Alt is held down, wherever the focus is. */
export function useAltKey(): boolean {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    const set = (event: KeyboardEvent) => setIsHeld(event.altKey);
    const release = () => setIsHeld(false);
    window.addEventListener("keydown", set);
    window.addEventListener("keyup", set);
    window.addEventListener("blur", release);
    return () => {
      window.removeEventListener("keydown", set);
      window.removeEventListener("keyup", set);
      window.removeEventListener("blur", release);
    };
  }, []);
  return isHeld;
}
