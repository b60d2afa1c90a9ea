/**
 * A title, or what is searched for in it, as the two are compared: letters of any script without their case, composed
 * as one character where there is one (names of files from a Mac come decomposed). Upper first, so that `ß` finds `SS`.
 */
export function foldTitle(title: string): string {
  const folded = title.normalize('NFKC').toUpperCase().toLowerCase()
  // The Turkish İ leaves a dot of its own behind, and a sigma is another letter at the end of a word.
  return folded.replaceAll('i\u0307', 'i').replaceAll('ς', 'σ').normalize('NFKC')
}
