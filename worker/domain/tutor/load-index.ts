import type { Context } from '#worker/context.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { openIndex, type TutorIndex } from './open-index.ts'

/** Which state of a module an index was made from. */
export interface IndexOf {
  moduleId: string
  version: string
}

/** An index of three hours of speech has some 10 MB, and an isolate 128 in all. */
const MAX_KEPT_WORDS = 150_000

const kept = new Map<string, { version: string; index: TutorIndex }>()

/** The indexes that are being formed. Questions that come meanwhile wait, instead of reading a long transcript each. */
const forming = new Set<string>()
/** A question that was aborted while it formed an index is waited for no longer. */
const FORMED_WITHIN_MS = 5_000
const POLL_MS = 20

/**
 * A transcript that grows has more segments; every other change of steps or transcript has a new version of the steps.
 * A title changes by itself.
 */
export function indexOf(module: ModuleRow): IndexOf {
  const { id: moduleId, run, transcriptKey, segmentCount, stepsVersion, title } = module
  return { moduleId, version: [run, transcriptKey, segmentCount, stepsVersion, title].join('/') }
}

/** What the tutor knows of a module; kept in memory for the next question. */
export async function loadIndex(context: Pick<Context, 'db' | 'bucket'>, of: IndexOf): Promise<TutorIndex> {
  const name = `${of.moduleId}/${of.version}`
  for (let ms = 0; forming.has(name) && ms < FORMED_WITHIN_MS; ms += POLL_MS) await scheduler.wait(POLL_MS)
  const known = findKept(of)
  if (known !== null) return known
  forming.add(name)
  try {
    const index = await formIndex(context, of.moduleId)
    keep(of, index)
    return index
  } finally {
    forming.delete(name)
  }
}

async function formIndex(context: Pick<Context, 'db' | 'bucket'>, moduleId: string): Promise<TutorIndex> {
  const module = await findModule(context.db, moduleId)
  const transcript = module === null ? null : await readTranscript(context, module)
  const steps = await listSteps(context.db, moduleId)
  const said = transcript?.segments ?? []
  // Sections are transcribed in their order, so all that comes before the last one is known.
  const isGrowing = module?.status === 'PROCESSING' && module.captionsKey === null
  return openIndex({
    title: module?.title ?? '',
    knownUntil: isGrowing ? (said.at(-1)?.endMs ?? 0) / 1_000 : null,
    segments: said.map(({ id, startMs, endMs, text }) => ({ id, startMs, endMs, text })),
    steps: steps.map(({ id, title, description, startMs, endMs, aliases }) => {
      return { id, title, description, aliases, start: startMs / 1_000, end: endMs / 1_000 }
    }),
  })
}

function findKept({ moduleId, version }: IndexOf): TutorIndex | null {
  const known = kept.get(moduleId)
  return known !== undefined && known.version === version ? known.index : null
}

/** The oldest go first. */
function keep({ moduleId, version }: IndexOf, index: TutorIndex): void {
  kept.delete(moduleId)
  kept.set(moduleId, { version, index })
  let words = 0
  for (const [id, each] of [...kept].reverse()) {
    words += each.index.tokens.length
    if (words > MAX_KEPT_WORDS) kept.delete(id)
  }
}
