/** What a page hands on to its links: half of its own relevance or, where it has none, half of what it was handed. */
const HANDED_ON = 0.5;

/** What a link says of itself and what its page handed on count alike. */
const OWN = 0.5;

/** Shark-search (Hersovici 1998): what is found on a relevant page, or some clicks behind one, may be relevant too. */
export const handedOn = (relevance: number, inherited: number): number => HANDED_ON * (relevance > 0 ? relevance : inherited);

export const sharkScore = (own: number, inherited: number): number => OWN * own + (1 - OWN) * inherited;
