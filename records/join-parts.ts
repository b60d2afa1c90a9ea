import { EXPORT_FILES, type ExportedCheckpoints, isCheckpoints, parseJson } from './export-files.ts'
import { numberedFile, partFile, readPart } from './export-parts.ts'
import type { Finding } from './findings.ts'

/** Files of a part of an export, by name. */
export type Files = ReadonlyMap<string, Blob>

/** The parts of an export in their order, with what they say of it. */
interface JoinedParts {
  parts: readonly Files[]
  /** As the first part says it, with the checkpoints of all; null where its `checkpoints.json` cannot be read. */
  about: ExportedCheckpoints | null
}

/** Puts the parts of an export in order. @returns null where some are missing, or are of another export */
export async function joinParts(
  files: readonly Files[],
  report: (finding: Finding) => void,
): Promise<JoinedParts | null> {
  const read = await Promise.all(files.map(async (each) => ({ files: each, part: await readPart(each) })))
  const placed = read.map(({ part, ...each }) => ({ ...each, part: part ?? { number: 1, next: null } }))
  const ordered = placed.toSorted((a, b) => a.part.number - b.part.number)
  const abouts = await Promise.all(ordered.map((each) => readAbout(each.files, report)))
  const [about = null] = abouts
  const faults: Finding[] = []
  const refuse = (code: 'part_missing' | 'part_foreign', file: string) => faults.push({ code, file })
  let due = 1
  for (const [index, { part }] of ordered.entries()) {
    for (; due < part.number; due += 1) refuse('part_missing', numberedFile(due))
    const isOfExport = isSameList(about, abouts[index] ?? null)
    if (part.number < due || !isOfExport) refuse('part_foreign', partFile(part))
    due = part.number + 1
  }
  if (ordered.at(-1)?.part.next !== null) refuse('part_missing', numberedFile(due))
  for (const fault of faults) report(fault)
  if (faults.length > 0) return null
  const joined = about && { ...about, checkpoints: joinCheckpoints(abouts) }
  return { parts: ordered.map((each) => each.files), about: joined }
}

async function readAbout(files: Files, report: (finding: Finding) => void): Promise<ExportedCheckpoints | null> {
  const file = EXPORT_FILES.checkpoints
  const blob = files.get(file)
  const value = blob && parseJson(await blob.text())
  if (isCheckpoints(value)) return value
  report({ code: blob === undefined ? 'file_missing' : 'file_changed', file })
  return null
}

/** Whether two parts are of the same records; where one does not say it, that was found before. */
function isSameList(one: ExportedCheckpoints | null, other: ExportedCheckpoints | null): boolean {
  if (one === null || other === null) return true
  return placeOf(one) === placeOf(other)
}

function placeOf({ organization, from, end }: ExportedCheckpoints): string {
  return JSON.stringify([organization, from.seq, from.previous, end.seq, end.hash])
}

/** A later part may hold a later checkpoint; one that is another in some part is not hidden behind that of the first. */
function joinCheckpoints(abouts: readonly (ExportedCheckpoints | null)[]): ExportedCheckpoints['checkpoints'] {
  const all = abouts.flatMap((each) => each?.checkpoints ?? [])
  return [...new Map(all.map((each) => [JSON.stringify([each.day, each.seq, each.hash]), each])).values()]
}
