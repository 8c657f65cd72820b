type Environment = Readonly<Record<string, string | undefined>>;

/** Local addresses, which never go through a proxy. */
const LOCAL_HOSTS = ["localhost", "127.0.0.0/8", "::1"];

/** Proxies from the standard environment variables, as curl reads them. Weaker than all options of our own. */
export function proxyLayer(env: Environment) {
  const all = { all_proxy: env.all_proxy, ALL_PROXY: env.ALL_PROXY };
  const http = firstSet({ http_proxy: env.http_proxy, HTTP_PROXY: env.HTTP_PROXY, ...all });
  const https = firstSet({ https_proxy: env.https_proxy, HTTPS_PROXY: env.HTTPS_PROXY, ...all });
  const names = [...new Set([https, http].flatMap((found) => found?.name ?? []))];
  if (names.length === 0) return { from: "the environment", values: {} };
  const except = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/).filter(Boolean);
  const proxy = { http: http?.text, https: https?.text, except: [...LOCAL_HOSTS, ...except] };
  return { from: "the environment", values: { proxy }, spell: () => names.join(", ") };
}

function firstSet(named: Environment): { name: string; text: string } | undefined {
  for (const [name, text] of Object.entries(named)) if (text) return { name, text };
  return undefined;
}
