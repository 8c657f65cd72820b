/**
 * Options of a run requested over the API, by rising precedence: defaults, config file, environment, flags of the server, options of the
 * site, request.
 */

import { resolve } from "../../../analysis/url/index.ts";
import { opensPrivate, type Seed, seedsBy } from "../../../core/seed.ts";
import { hasUserInfo, typedUrl } from "../../../core/typed-url.ts";
import {
  type Config,
  type ConfigFile,
  envLayer,
  fields,
  fileLayers,
  ignoreLayers,
  type Layer,
  proxyLayer,
  resolveConfig,
  trustedSeedTest,
  withoutStored,
} from "../../../engine/config/index.ts";
import { firstClosedUrl } from "../../../engine/network-access.ts";
import type { Run } from "../../../store/index.ts";
import { Problem, type ProblemDetails } from "../problem.ts";
import { checkOptions, normalizeKeywords, type Values } from "../request-options.ts";

/** What the server was started with, as plain data. */
export interface ServerOptions {
  readonly file: Pick<ConfigFile, "name" | "folder" | "content"> | undefined;
  /** Flags of the command line. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

export class RunOptions {
  readonly #server: ServerOptions;
  readonly #env: Readonly<Record<string, string | undefined>>;

  /** Credentials are sent only to seeds named in the config file or typed by a person, never for a URL that came with a request. */
  readonly maySendCredentials: (seed: Seed) => boolean;

  constructor(server: ServerOptions, env: Readonly<Record<string, string | undefined>>) {
    this.#server = server;
    this.#env = env;
    this.maySendCredentials = trustedSeedTest(server.file as ConfigFile | undefined);
  }

  /** Options for seeds that are URLs, from those of their sites and of the request. `usual` has the lowest precedence of them. */
  configFor(seeds: readonly string[], sites: readonly Values[], request: Values, base?: Layer): Config {
    const named = seedsBy("api", seeds);
    for (const seed of seeds) {
      const resolved = resolve(seed.trim(), undefined, NO_RULES);
      if (!resolved) throw new Problem("invalid-url", `${seed.slice(0, 200)} is not a URL that can be crawled`, suggestionOf(seed));
      if (hasUserInfo(seed)) throw new Problem("invalid-url", loginInUrlMessage(resolved.host));
    }
    checkOptions(request);
    for (const site of sites) checkOptions(site, "/site/config");
    const [site = {}, ...others] = sites;
    if (others.some((other) => JSON.stringify(other) !== JSON.stringify(site)))
      throw new Problem(
        "validation",
        "these sites have other options than each other, and a run has one set of them: crawl one after the other",
      );
    const words: Layer[] = [
      { from: "the options of the site", values: normalizeKeywords(site) },
      { from: "the request", values: normalizeKeywords(request) },
    ];
    return checkConfig(resolveConfig([...(base ? [base] : []), ...this.#layers(named), ...words]), named);
  }

  /** Options for resuming a run: its own, plus those that runs do not store. */
  configForResume(run: Run): Config {
    const own: Layer = { from: `run ${run.id}`, values: run.options };
    return checkConfig(resolveConfig([own, ...withoutStored(this.#layers(run.namedSeeds))]), run.namedSeeds);
  }

  #layers(seeds: readonly Seed[]): Layer[] {
    const urls = seeds.map(({ url }) => url);
    const { file, flags, cwd } = this.#server;
    const layers = [
      proxyLayer(this.#env),
      ...(file ? fileLayers(file as ConfigFile, urls, this.#env) : []),
      envLayer(this.#env),
      { from: "the command line", values: flags },
    ];
    const isTrusted = seeds.length > 0 && seeds.every(this.maySendCredentials);
    return [...(isTrusted ? layers : layers.map(withoutAccess)), ...ignoreLayers(cwd, file?.folder)];
  }
}

/** Without undefined values. */
export const withoutUndefined = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

export const loginInUrlMessage = (host: string): string =>
  `the URL of ${host} has a user or a password, which are never sent: give them to the server, in the auth of its config file`;

/** Suggests the URL with a scheme if the scheme is missing. */
function suggestionOf(seed: string): ProblemDetails {
  const meant = typedUrl(seed.slice(0, 2000));
  return meant === seed.slice(0, 2000) ? {} : { suggestion: meant };
}

const NO_RULES = { stripParams: [], sortParams: false, maxParams: Number.POSITIVE_INFINITY };

const accessKeys = new Set([...fields.filter(({ isSecret }) => isSecret).map(({ key }) => key), "cookies"]);

const withoutAccess = (layer: Layer): Layer => ({
  ...layer,
  values: Object.fromEntries(Object.entries(layer.values).filter(([key]) => !accessKeys.has(key))),
});

function checkConfig(config: Config, seeds: readonly Seed[]): Config {
  const others = seeds.filter(({ namedBy }) => !opensPrivate[namedBy]).map(({ url }) => url);
  const isTyped = others.length < seeds.length;
  const closed = firstClosedUrl(isTyped ? others : [...others, config.sitemap], config);
  if (closed !== undefined)
    throw new Problem(
      "private-network-blocked",
      `${closed.slice(0, 200)} is on a private network, which is closed to whoever asks over the API`,
      {
        suggestion: "start the server with --allow-private and the address, if it is meant to be open",
      },
    );
  if (!config.respectRobots)
    throw new Problem("validation", "ignoring robots.txt needs the owner's word, which only a person can give", {
      suggestion: "nuthatch crawl --no-robots --i-own-this-site",
    });
  return config;
}
