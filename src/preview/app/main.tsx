import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/contrast.css";

const root = document.getElementById("app");
if (!root) throw new Error("The page has no element #app.");

// It is in the style sheet, and yet not at hand at once: the first texts come after it.
queueMicrotask(() => void document.fonts.load('13px "Inter Variable"'));

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
