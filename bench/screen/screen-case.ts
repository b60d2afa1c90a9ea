import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Where the picture of a frame is kept. */
export const pictureOf = (folder: string, { name }: Pick<ScreenCase, 'name'>) => join(folder, `${name}.png`)
const factsOf = (folder: string, { name }: Pick<ScreenCase, 'name'>) => join(folder, `${name}.json`)

/** Keeps what a picture shows beside it: texts of this app, which some show, change with the app. */
export function keepCase(folder: string, screen: ScreenCase): void {
  const { name, width, height, language, lines, commands, isComplete, crf } = screen
  const facts: ScreenCase = { name, width, height, language, lines, commands, isComplete, crf }
  writeFileSync(factsOf(folder, screen), JSON.stringify(facts))
}

/** What a kept picture shows; null where there is none. */
export function findCase(folder: string, screen: Pick<ScreenCase, 'name'>): ScreenCase | null {
  if (!existsSync(pictureOf(folder, screen)) || !existsSync(factsOf(folder, screen))) return null
  return JSON.parse(readFileSync(factsOf(folder, screen), 'utf8')) as ScreenCase
}
