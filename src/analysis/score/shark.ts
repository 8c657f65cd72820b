/** A page passes on half of its own relevance or, if it has none, half of what it inherited. */
const INHERITED_SHARE = 0.5;

/** A link's own words and its inherited value count equally. */
const OWN_WEIGHT = 0.5;

/** Shark-search (Hersovici 1998): links on a relevant page, or some clicks behind one, may be relevant too. */
export const handedOn = (relevance: number, inherited: number): number => INHERITED_SHARE * (relevance > 0 ? relevance : inherited);

export const sharkScore = (own: number, inherited: number): number => OWN_WEIGHT * own + (1 - OWN_WEIGHT) * inherited;
