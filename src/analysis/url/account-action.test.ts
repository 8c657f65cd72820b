import { describe, expect, test } from "vitest";
import { accountAction } from "./account-action.ts";
import { compileScope } from "./scope.ts";

describe("signs out, unsubscribes or deletes", () => {
  test.each([
    "/logout",
    "/Logout.aspx",
    "/users/sign_out",
    "/account/sign-out/",
    "/log-off",
    "/abmelden",
    "/konto/ausloggen",
    "/d%C3%A9connexion",
    "/se-d%C3%A9connecter",
    "/cerrar-sesi%C3%B3n",
    "/cerrar_sesion.php",
    "/wp-login.php?action=logout&_wpnonce=3f9a",
    "/ucp.php?mode=logout&sid=0123",
    "/index.php?action=logout;sesc=0f3a",
    "/index.php?title=Special:UserLogout",
    "/wiki/Special:UserLogout",
    "/wiki/Spezial:Abmelden",
    "/?logout",
    "/?logout=1",
    "/session/destroy",
    "/sessions/delete",
    "/newsletter/unsubscribe?u=12",
    "/abbestellen",
    "/post/12/delete",
    "/delete/12",
    "/delete.php?id=12&delete=12",
    "/delete?id=12",
    "/comment/remove.php?comment_id=7",
    "/index.php?do=delete&id=12",
    "/cart/?remove_item=0f3a",
    "/account/delete-account",
    "/items/removeItem.php",
    "/%E3%83%AD%E3%82%B0%E3%82%A2%E3%82%A6%E3%83%88",
  ])("%s", (path) => {
    expect(accountAction(`http://a.test${path}`)).toBeDefined();
  });
});

describe("does not", () => {
  test.each([
    "/",
    "/login",
    "/blog/how-to-log-out-of-everything",
    "/help/logout-and-privacy",
    "/docs/sql/delete.html",
    "/docs/commands/delete",
    "/docs/commands/delete?version=12",
    "/docs/api/remove",
    "/session/12",
    "/sessions/2026/closing-keynote",
    "/news?topic=delete",
    "/articles?action=view&id=3",
    "/search?q=logout",
    "/list?logout=0",
    "/signs/outdoor",
    "/erase-una-vez",
    "/%zz",
  ])("%s", (path) => {
    expect(accountAction(`http://a.test${path}`)).toBeUndefined();
  });
});

const options = {
  scope: "host",
  include: [] as string[],
  exclude: [],
  maxComponents: 10,
  maxLength: 2048,
  skipExtensions: [],
  denyHosts: [],
} as const;

test.each([
  ["without credentials", [], {}, true],
  ["with credentials", [], { isSignedIn: true }, false],
  ["with an --include of everything", [], { isSignedIn: true, include: ["/**"] }, false],
  ["with an --include that names it", [], { isSignedIn: true, include: ["/**", "/account/logout"] }, true],
  ["with a regular expression that names it", [], { isSignedIn: true, include: ["/logout$/"] }, true],
  ["as a seed", ["http://a.test/account/logout"], { isSignedIn: true }, true],
])("a link that signs out, %s", (_, seeds, given, ok) => {
  const scope = compileScope(["http://a.test/", ...seeds], { ...options, ...given });
  expect(scope("http://a.test/account/logout")).toMatchObject(ok ? { ok } : { ok, reason: "account-action" });
});
