import type { InterfaceLanguage } from '#contract/languages.ts'

/** A frame whose text is known. */
export interface ScreenCase {
  /** Unique, and the name of its file. */
  name: string
  width: number
  height: number
  /** The language of its text; null for commands and code. */
  language: InterfaceLanguage
  /** Lines that it shows, each as one reads it. There may be others, such as of menus. */
  lines: readonly string[]
  /** Those that were typed behind a prompt. */
  commands: readonly string[]
  /** Whether it shows nothing but `lines`. */
  isComplete: boolean
  /** Constant rate factor of H.264: 23 is its default, 32 is poor. */
  crf: number
}
