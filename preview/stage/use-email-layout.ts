import { useEffect, useState } from "react";

/** A new object after each layout of the email, with the width it needs. */
export interface EmailLayout {
  readonly email: Document;
  /** In the email's pixels. Larger than the frame if the email does not fit. */
  readonly width: number;
}

export function useEmailLayout(shown: { readonly email: Document } | undefined): EmailLayout | undefined {
  const [layout, setLayout] = useState<EmailLayout>();
  useEffect(() => {
    if (!shown) return undefined;
    const { email } = shown;
    const measure = () => setLayout({ email, width: email.documentElement.scrollWidth });
    const observer = new ResizeObserver(measure);
    observer.observe(email.documentElement);
    if (email.body) observer.observe(email.body);
    measure();
    return () => observer.disconnect();
  }, [shown]);
  return layout;
}
