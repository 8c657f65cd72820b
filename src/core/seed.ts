/**
 * Who can name a seed, and whether that opens its host if the host is private: only what a person typed or wrote into their own config
 * file does. `library`: a calling program, which may pass on input of its users. `page`: a stored page or a link. `unknown`: a run of a
 * data file that is older than this list.
 */
export const opensPrivate = { person: true, list: false, api: false, library: false, page: false, unknown: false } as const;

export type NamedBy = keyof typeof opensPrivate;

/** A start URL of a run, and who named it. */
export interface Seed {
  readonly url: string;
  readonly namedBy: NamedBy;
}

export const seedsBy = (namedBy: NamedBy, urls: readonly string[]): Seed[] => urls.map((url) => ({ url, namedBy }));

export const urlsOf = (seeds: readonly Seed[]): string[] => seeds.map(({ url }) => url);

/** For a calling program: credentials that it gives are meant for the seeds that it gives. */
export const isFromProgram = ({ namedBy }: Seed): boolean => namedBy === "person" || namedBy === "library";

export const isNamedBy = (word: string): word is NamedBy => Object.hasOwn(opensPrivate, word);
