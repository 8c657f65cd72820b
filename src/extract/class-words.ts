/** The words of classes and ids in small letters: articleDate and article-date are the same. */
export function partWords(classes: string): string {
  const parted = /[a-z][A-Z]/.test(classes) ? classes.replace(/([a-z])([A-Z])/g, "$1-$2") : classes;
  return parted.toLowerCase();
}
