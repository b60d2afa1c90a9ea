import { reportRun } from '#worker/domain/module/module-store.ts'
import { type PartRow, readWords } from '#worker/domain/run/part-store.ts'
import { claimSteps, type RunId } from '#worker/domain/run/run-store.ts'
import { formSegments } from '#worker/domain/transcript/form-segments.ts'
import { mergeWords } from '#worker/domain/transcript/merge-words.ts'
import { replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import type { JobDeps } from './job.ts'

/** Once every part has been heard: joins the words, stores the transcript, and asks for the steps, once. */
export async function finishSpeech(deps: JobDeps, id: RunId, parts: PartRow[]): Promise<void> {
  const words = mergeWords(
    parts.map((part) => ({
      audioStartMs: part.audioStartMs,
      startMs: part.startMs,
      endMs: part.endMs,
      words: readWords(part),
    })),
  )
  await replaceTranscript(deps.env.DB, id.moduleId, { source: 'speech', run: id.run }, formSegments(words))
  const language = majorityLanguage(parts)
  if (language !== null) await reportRun(deps.db, { ...id, nowMs: deps.nowMs() }, { language })
  await askForSteps(deps, id)
}

/** What most parts were heard in; null when the recogniser never tells. */
function majorityLanguage(parts: PartRow[]): string | null {
  const votes = new Map<string, number>()
  for (const { language } of parts) if (language !== null) votes.set(language, (votes.get(language) ?? 0) + 1)
  return [...votes].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

/** Two parts may be the last one at the same moment; one of them asks. */
export async function askForSteps(deps: Pick<JobDeps, 'db' | 'env' | 'nowMs'>, id: RunId): Promise<void> {
  if (await claimSteps(deps.db, id, deps.nowMs())) {
    await deps.env.STEPS_QUEUE.send({ kind: 'steps', moduleId: id.moduleId, run: id.run })
  }
}
