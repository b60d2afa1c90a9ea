import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the catalogue is: one file per language, in the message format of inlang. */
export const MESSAGES_DIR = fileURLToPath(new URL('../messages', import.meta.url))

/** A text with `{values}` in it, or one text per plural form of a number. */
type Entry = string | [{ declarations: string[]; match: Record<string, string> }]

/** One text of the catalogue. */
export interface Message {
  key: string
  /** What is put in, by name. */
  values: string[]
  /** Its text; of one with several forms the last, which is for all other numbers. */
  text: string
  /** All of its forms, by condition such as `countPlural=one`; by nothing where there is one. */
  forms: Record<string, string>
}

/** Reads all texts of a language. @throws when there is no such file */
export function listMessages(language: string): Message[] {
  const catalogue = JSON.parse(readFileSync(join(MESSAGES_DIR, `${language}.json`), 'utf8')) as Record<string, Entry>
  return Object.entries(catalogue)
    .filter(([key]) => !key.startsWith('$'))
    .map(([key, entry]) => readMessage(key, entry))
}

function readMessage(key: string, entry: Entry): Message {
  const forms: Record<string, string> = typeof entry === 'string' ? { '': entry } : entry[0].match
  const named = Object.values(forms).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))
  const declared = typeof entry === 'string' ? [] : entry[0].declarations.map((each) => /^input (\w+)$/.exec(each)?.[1])
  const values = [...new Set([...declared.filter((each) => each !== undefined), ...named])]
  return { key, values, text: Object.values(forms).at(-1) ?? '', forms }
}
