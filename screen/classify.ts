import type { ScreenKind } from '#contract/screen.ts'
import { cutPrompt, isKeystroke } from './find-command.ts'

/** Signs that prose and labels lack. Two of them make a line code. */
const CODE_SIGNS = [
  /[;{}]\s*$/u,
  /=>|->|::|\+=|[!=]==?|&&|\|\|/u,
  /\w\([^)]*\)?/u,
  /^(?:import|export|const|let|var|def|class|return|if|for|while|from|SELECT|FROM|JOIN|WHERE|GROUP BY|ORDER BY|public|private|#include)\b/u,
  /^\s*[\w.-]+\s*=\s*\S/u,
  /["'][^"']*["']/u,
  /^\s*<\/?\w[^>]*>/u,
  /\w\.\w{1,40}\(/u,
]
const LABEL = { words: 5, characters: 40 }

/** Says what a line of the screen is. */
export function classify(line: string): ScreenKind {
  if (cutPrompt(line) !== null || isKeystroke(line)) return 'command'
  if (CODE_SIGNS.filter((sign) => sign.test(line)).length >= 2) return 'code'
  const isShort = line.length <= LABEL.characters && line.split(/\s+/u).length <= LABEL.words
  return isShort && !/[.!?。]$/u.test(line) ? 'label' : 'other'
}
