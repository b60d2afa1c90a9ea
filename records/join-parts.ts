import { EXPORT_FILES, type ExportedCheckpoints, isCheckpoints, parseJson } from './export-files.ts'
import { numberedFile, readPart } from './export-parts.ts'
import type { Finding } from './findings.ts'

/** Files of a part of an export, by name. */
export type Files = ReadonlyMap<string, Blob>

/** The parts of an export in their order, with what the first of them says of it. */
interface JoinedParts {
  parts: readonly Files[]
  /** Null where `checkpoints.json` cannot be read. */
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
  const [first] = ordered
  const about = first === undefined ? null : await readAbout(first.files, report)
  const faults: Finding[] = []
  const refuse = (code: 'part_missing' | 'part_foreign', number: number) =>
    faults.push({ code, file: numberedFile(number) })
  let due = 1
  for (const { files: each, part } of ordered) {
    for (; due < part.number; due += 1) refuse('part_missing', due)
    const isOfExport = each === first?.files || isSameList(about, await readAbout(each, report))
    if (part.number < due || !isOfExport) refuse('part_foreign', part.number)
    due = part.number + 1
  }
  if (ordered.at(-1)?.part.next !== null) refuse('part_missing', due)
  for (const fault of faults) report(fault)
  return faults.length === 0 ? { parts: ordered.map((each) => each.files), about } : null
}

async function readAbout(files: Files, report: (finding: Finding) => void): Promise<ExportedCheckpoints | null> {
  const file = EXPORT_FILES.checkpoints
  const blob = files.get(file)
  const value = blob && parseJson(await blob.text())
  if (isCheckpoints(value)) return value
  report({ code: blob === undefined ? 'file_missing' : 'file_changed', file })
  return null
}

/** Whether two parts end with the same record of the same list; where one does not say it, that was found before. */
function isSameList(one: ExportedCheckpoints | null, other: ExportedCheckpoints | null): boolean {
  if (one === null || other === null) return true
  return one.organization === other.organization && one.end.seq === other.end.seq && one.end.hash === other.end.hash
}
