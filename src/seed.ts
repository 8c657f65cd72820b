/**
 * Who can name an address that a run begins with, and whether that opens its host where it is private: only what a person typed, or wrote into
 * their own config file. `library`: a program that calls us, which may pass on what its users want. `page`: a stored page, or a link.
 * `unknown`: a run of a data file that is older than this list.
 */
export const opensPrivate = { person: true, list: false, api: false, library: false, page: false, unknown: false } as const;

export type NamedBy = keyof typeof opensPrivate;

/** An address that a run begins with, and who named it. */
export interface Seed {
  readonly url: string;
  readonly namedBy: NamedBy;
}

export const seedsBy = (namedBy: NamedBy, urls: readonly string[]): Seed[] => urls.map((url) => ({ url, namedBy }));

export const urlsOf = (seeds: readonly Seed[]): string[] => seeds.map(({ url }) => url);

/** For a program that calls us: what it gives for its seeds, it gives with them. */
export const isOfProgram = ({ namedBy }: Seed): boolean => namedBy === "person" || namedBy === "library";

export const isNamer = (word: string): word is NamedBy => Object.hasOwn(opensPrivate, word);
