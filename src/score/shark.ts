/** A page passes on half of its own relevance or, if it has none, half of what it inherited. */
const HANDED_ON = 0.5;

/** A link's own words and its inherited value count equally. */
const OWN = 0.5;

/** Shark-search (Hersovici 1998): links on a relevant page, or some clicks behind one, may be relevant too. */
export const handedOn = (relevance: number, inherited: number): number => HANDED_ON * (relevance > 0 ? relevance : inherited);

export const sharkScore = (own: number, inherited: number): number => OWN * own + (1 - OWN) * inherited;
