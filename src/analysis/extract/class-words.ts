/** Splits camelCase words of classes and ids and lowercases them: articleDate and article-date become the same. */
export const lowerCaseParts = (classes: string): string => splitCamelCase(classes).toLowerCase();

/** As `lowerCaseParts`, but with the capitals kept. */
export const splitCamelCase = (classes: string): string =>
  /[a-z][A-Z]/.test(classes) ? classes.replace(/([a-z])([A-Z])/g, "$1-$2") : classes;
