/** What is known of noise is kept with the run that taught it. What was learned before is learned again. */
export const version10 = `
DELETE FROM noise;
`;
