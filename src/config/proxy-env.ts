/** Never worth a proxy, whoever set one for everything else. */
const HERE = ["localhost", "127.0.0.0/8", "::1"];

/** The proxies that the environment names for all programs, as curl reads them. Weaker than every word that is meant for us. */
export function proxyLayer(env: Readonly<Record<string, string | undefined>>) {
  const nameOf = (scheme: string) =>
    [`${scheme}_proxy`, `${scheme.toUpperCase()}_PROXY`, "all_proxy", "ALL_PROXY"].find((name) => env[name]);
  const [http, https] = [nameOf("http"), nameOf("https")];
  const names = [...new Set([https, http].filter((name) => name !== undefined))];
  if (names.length === 0) return { from: "the environment", values: {} };
  const except = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  const proxy = { http: http && env[http], https: https && env[https], except: [...HERE, ...except] };
  return { from: "the environment", values: { proxy }, spell: () => names.join(", ") };
}
