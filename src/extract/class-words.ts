/** The words of classes and ids in small letters: articleDate and article-date are the same. */
export const partWords = (classes: string): string => parted(classes).toLowerCase();

/** The same with their capitals. */
export const parted = (classes: string): string => (/[a-z][A-Z]/.test(classes) ? classes.replace(/([a-z])([A-Z])/g, "$1-$2") : classes);
