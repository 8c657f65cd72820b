import type { Found, PageVerdict } from "../records.ts";
import type { MainText } from "./main-text.ts";
import type { PageView } from "./page-view.ts";

export function verdictOf(_page: PageView, _main: MainText): Found<PageVerdict> {
  return { value: "ok", source: "" };
}
