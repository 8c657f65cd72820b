import { partsOf } from "./parts.ts";

/** Removes accents and voice marks, which do not distinguish these words. */
const withoutAccents = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
const words = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(" ").map(withoutAccents)));

/** Words that end the session. Written together, in lower case and without accents. */
const SIGN_OUT = words(
  "logout logoff signout signoff userlogout userlogoff logmeout logoutuser dologout processlogout",
  "abmelden abmeldung ausloggen deconnexion deconnecter sedeconnecter cerrarsesion desconectar desconectarse finalizarsesion",
  "terminarsessao encerrarsessao terminarsesion disconnetti disconnessione uitloggen afmelden wyloguj wylogowanie odhlasit odhlaseni odhlasitse",
  "loggaut loggut logud kirjauduulos oturumukapat cikisyap kijelentkezes deconectare odjava выйти выход ログアウト 登出 退出 로그아웃",
);
/** Words of removal. */
const REMOVAL = words(
  "delete destroy remove erase trash purge loschen entfernen supprimer eliminar borrar verwijderen usun elimina excluir apagar",
);
const UNSUBSCRIBE = words("unsubscribe deactivate optout abbestellen austragen desabonner desinscrire desinscription darsedebaja revoke");
/** Names of a session or account that precede a word for its end. */
const ACCOUNT_WORDS = words("session sessions sess account accounts user users profile membership me auth oauth");
const END_WORDS = words("destroy delete end close terminate remove invalidate kill expire revoke cancel");
/** Objects that follow a word of removal in one name: `delete-account`, `remove_item`. */
const OBJECT_WORD =
  /^(?:account|user|item|items|post|comment|message|session|cart|profile|all|me|entry|file|topic|thread|basket|address|order)$/;
/** Parameters that name the action. */
const ACTION_PARAMS = words("action act do op task cmd mode method func view page route event title todo");

/**
 * Whether following a link while signed in would sign out, unsubscribe or delete; returns the word that shows it. A page with such a word
 * in its title must not match: the word must be a whole part of the path or query, and a word of removal needs an object.
 */
export function accountAction(url: string): string | undefined {
  const { path, query } = partsOf(url) ?? { path: "", query: "" };
  const [parts, pairs] = [path.split(/[/;]/).filter((part) => part !== ""), query.slice(1).split(/[&;]/)];
  return inPath(parts) ?? inQuery(pairs) ?? removalWithId(parts.at(-1) ?? "", pairs);
}

/** `/delete?id=4`, `/comment/remove.php?comment_id=7`. */
function removalWithId(last: string, pairs: readonly string[]): string | undefined {
  const isNamed = (pair: string) => /^(?:[\w-]*[-_])?(?:id|uid|pid|tid|cid)=./i.test(pair);
  return REMOVAL.has(normalise(last)) && pairs.some(isNamed) ? last : undefined;
}

function inPath(parts: readonly string[]): string | undefined {
  for (const [at, part] of parts.entries()) {
    const word = normalise(part);
    if (SIGN_OUT.has(word) || UNSUBSCRIBE.has(word)) return part;
    if (at > 0 && END_WORDS.has(word) && ACCOUNT_WORDS.has(normalise(parts[at - 1]!))) return `${parts[at - 1]}/${part}`;
    if (/\.(?:html?|md|txt|pdf)$/i.test(part)) continue;
    const isBesideId = isId(parts[at - 1]) || isId(parts[at + 1]);
    if ((REMOVAL.has(word) && isBesideId) || isNamedRemoval(part)) return part;
  }
  return undefined;
}

function inQuery(pairs: readonly string[]): string | undefined {
  for (const pair of pairs) {
    const [name = "", value = ""] = pair.split("=", 2);
    const paramName = normalise(name);
    const word = normalise(value);
    const isFalse = /^(?:0|false|no|off)$/i.test(value);
    if ((SIGN_OUT.has(paramName) || UNSUBSCRIBE.has(paramName)) && !isFalse) return pair;
    if (ACTION_PARAMS.has(paramName) && (SIGN_OUT.has(word) || UNSUBSCRIBE.has(word) || REMOVAL.has(word) || isNamedRemoval(value)))
      return pair;
    if ((REMOVAL.has(paramName) || isNamedRemoval(name)) && value !== "" && !isFalse) return pair;
  }
  return undefined;
}

const isId = (part: string | undefined) => part !== undefined && /\d/.test(part) && /^[\w-]{1,64}$/.test(part);

/** `delete-account`, `remove_item.php`. */
function isNamedRemoval(part: string): boolean {
  const [verb = "", object = "", ...rest] = part
    .replace(/\.\w{1,5}$/, "")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[-_ ]|%20/);
  return rest.length === 0 && REMOVAL.has(verb) && OBJECT_WORD.test(object);
}

/** Without extension, accents and separators; of `Special:UserLogout` the last part. */
function normalise(part: string): string {
  const name = decoded(part).replace(/\.\w{1,5}$/, "");
  return withoutAccents(name.slice(name.lastIndexOf(":") + 1)).replace(/[\s_+'’!-]/g, "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
