import type { Context } from '#worker/context.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { openIndex, type TutorIndex } from './open-index.ts'

/** Which state of a module an index was made from. */
export interface IndexOf {
  moduleId: string
  /** Null for a module whose transcript grows: its index is not kept. */
  version: string | null
}

/** An index of three hours of speech has some 10 MB, and an isolate 128 in all. */
const MAX_KEPT_WORDS = 150_000

const kept = new Map<string, { version: string; index: TutorIndex }>()

/** Every change of steps or transcript outside of a run has a new version of the steps. */
export function indexOf(module: ModuleRow): IndexOf {
  const { id: moduleId, status, run, transcriptKey, stepsVersion } = module
  return { moduleId, version: status === 'PROCESSING' ? null : `${run}/${transcriptKey}/${stepsVersion}` }
}

/** What the tutor knows of a module; kept in memory for the next question. */
export async function loadIndex(
  context: Pick<Context, 'db' | 'bucket'>,
  { moduleId, version }: IndexOf,
): Promise<TutorIndex> {
  const known = findKept({ moduleId, version })
  if (known !== null) return known
  const module = await findModule(context.db, moduleId)
  const transcript = module === null ? null : await readTranscript(context, module)
  const steps = await listSteps(context.db, moduleId)
  // Questions that come at once read side by side, but only the first one forms the index.
  const formed = findKept({ moduleId, version })
  if (formed !== null) return formed
  const index = openIndex({
    segments: (transcript?.segments ?? []).map(({ id, startMs, endMs, text }) => ({ id, startMs, endMs, text })),
    steps: steps.map(({ id, title, description, startMs, endMs, aliases }) => {
      return { id, title, description, aliases, start: startMs / 1_000, end: endMs / 1_000 }
    }),
  })
  keep({ moduleId, version }, index)
  return index
}

function findKept({ moduleId, version }: IndexOf): TutorIndex | null {
  const known = kept.get(moduleId)
  return known !== undefined && known.version === version ? known.index : null
}

/** The oldest go first. */
function keep({ moduleId, version }: IndexOf, index: TutorIndex): void {
  kept.delete(moduleId)
  if (version === null) return
  kept.set(moduleId, { version, index })
  let words = 0
  for (const [id, each] of [...kept].reverse()) {
    words += each.index.tokens.length
    if (words > MAX_KEPT_WORDS) kept.delete(id)
  }
}
