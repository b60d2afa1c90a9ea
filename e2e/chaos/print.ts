import { formatMoment, type KillMoment } from './kill-plan.ts'
import type { Reference, RoundReport } from './play-round.ts'
import type { StateReport } from './read-state.ts'

interface RoundFacts {
  round: number
  moments: KillMoment[]
  references: Reference[]
  serverErrors: string[]
}

export function formatReference({ video, training, chunkHashes, uploadMs, readyMs }: Reference): string {
  const found = `${training.steps.length} steps, ${training.segments.length} segments, ${chunkHashes.length} audio chunks`
  const sizeMb = (video.bytes.byteLength / 1e6).toFixed(1)
  return `undisturbed: ${video.filename}, ${sizeMb} MB: ${found}, uploaded in ${inS(uploadMs)}, READY after ${inS(readyMs)}`
}

/** A round in one line, and what was wrong in it. */
export function reportRound(report: RoundReport, facts: RoundFacts): { line: string; problems: string[] } {
  const problems = listProblems(report, facts).map((problem) => `round ${facts.round}: ${problem}`)
  const done = facts.moments.slice(0, report.kills).map(formatMoment).join(', ')
  const ready = report.uploads
    .map(({ readyMs, difference }) => (difference === null ? inS(readyMs) : 'WRONG'))
    .join(' / ')
  const transcribedAgain = [...report.transcription.answers.values()].reduce((sum, count) => sum + count - 1, 0)
  const refused = `${report.transcription.refused} refused`
  const kills = `${report.kills} of ${facts.moments.length} kills (${done})`
  return {
    line: `round ${facts.round}: ${kills}, READY after ${ready}, transcribed again ${transcribedAgain}, ${refused}`,
    problems,
  }
}

function listProblems({ uploads, transcription }: RoundReport, { references, serverErrors }: RoundFacts): string[] {
  const known = new Set(references.flatMap(({ chunkHashes }) => chunkHashes))
  const strange = [...transcription.answers.keys()].filter((audio) => !known.has(audio)).length
  return [
    ...uploads
      .filter(({ difference }) => difference !== null)
      .map(({ reference, moduleId, difference }) => `${reference.video.filename} (${moduleId}): ${difference}`),
    ...serverErrors,
    ...(strange > 0 ? [`${strange} audio chunks differ from those of the run without kills`] : []),
  ]
}

export function reportState({ leftovers }: StateReport): string {
  return `left in the state: ${Object.entries(leftovers)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')}`
}

function inS(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
