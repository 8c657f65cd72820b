/** Noise is stored with the run it was learned in. Earlier entries are removed and learned again. */
export const version10 = `
DELETE FROM noise;
`;
