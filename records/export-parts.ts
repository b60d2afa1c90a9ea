import type { ExportRequest } from '#contract/records/export-request.ts'
import { readZip } from './read-zip.ts'

/** Name of the file that says which part of an export its ZIP file is. */
export const PART_FILE = 'part.json'

/** `part.json`. Exports of earlier releases have none: they are whole. */
export interface ExportPart {
  /** Counted from 1. */
  number: number
  /** How the next part is asked for; null in the last one. */
  next: ExportRequest | null
}

/** More than any export has. A check lists what is missing up to a part's number, so a forged one must not be huge. */
const PARTS_MAX = 10_000

/** The only part of an export of an earlier release. */
const WHOLE: ExportPart = { number: 1, next: null }

/** Names the ZIP file of a part; the only one has no number. */
export function partFile({ number, next }: ExportPart): string {
  return number === 1 && next === null ? 'training-records.zip' : numberedFile(number)
}

/** Names the ZIP file of one of several parts. */
export function numberedFile(number: number): string {
  return `training-records-${number}.zip`
}

/** Reads which part some files are; null where they do not say it. */
export async function readPart(files: ReadonlyMap<string, Blob>): Promise<ExportPart | null> {
  const file = files.get(PART_FILE)
  if (file === undefined) return WHOLE
  try {
    const value: unknown = JSON.parse(await file.text())
    return isPart(value) ? value : null
  } catch {
    // What is no JSON names no part, whatever else it is.
    return null
  }
}

/** Reads which part a ZIP file is, as it was made. @throws where it is none */
export async function readZippedPart(zip: Blob): Promise<ExportPart> {
  const part = await readPart(await readZip(zip))
  if (part === null) throw new Error('The file is not a part of an export.')
  return part
}

function isPart(value: unknown): value is ExportPart {
  const { number = 0, next } = (value ?? {}) as Partial<ExportPart>
  return Number.isInteger(number) && number > 0 && number <= PARTS_MAX && typeof next === 'object'
}
