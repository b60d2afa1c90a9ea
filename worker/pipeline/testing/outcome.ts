import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { STEP_RULES } from '#contract/limits.ts'
import type { ServedContext } from '#worker/core/context.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { readTranscript, type Segment } from '#worker/domain/transcript/transcript-store.ts'
import type { Driver } from './drive.ts'

export function moduleOf({ deps }: { deps: ServedContext }, { moduleId }: { moduleId: string }) {
  return findModule(deps.db, moduleId)
}

/** The transcript of a module as it is now; nothing when the module is gone. */
export async function segmentsOf(context: Pick<ServedContext, 'db' | 'bucket'>, moduleId: string): Promise<Segment[]> {
  const module = await findModule(context.db, moduleId)
  return module === null ? [] : (await readTranscript(context, module)).segments
}

/** What people see of a run: equal for equal runs of different modules. */
export async function outcomeOf({ deps }: { deps: ServedContext }, { moduleId }: { moduleId: string }) {
  const segments = await segmentsOf(deps, moduleId)
  const steps = await listSteps(deps.db, moduleId)
  return {
    text: segments.map((segment) => [segment.id, segment.startMs, segment.text]),
    steps: steps.map((step) => [step.id, step.title, step.startMs, step.endMs, step.isDraft]),
  }
}

/** Cuts a run's audio, transcribes it and writes its steps, without disturbance. */
export async function runThrough(driver: Driver, id: RunId): Promise<void> {
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.drain()
}

/** Keys of the audio that was cut out of a module's video. */
export async function audioOf(moduleId: string): Promise<string[]> {
  const { objects } = await env.MEDIA.list({ prefix: `chunks/${moduleId}/` })
  return objects.map(({ key }) => key)
}

/** Every step keeps the editor's own rules and lies inside the video. @returns how many there are */
export async function checkSteps(
  { deps }: { deps: ServedContext },
  { moduleId }: { moduleId: string },
): Promise<number> {
  const module = await findModule(deps.db, moduleId)
  const steps = await listSteps(deps.db, moduleId)
  for (const step of steps) {
    expect(step.startMs).toBeGreaterThanOrEqual(0)
    expect(step.endMs).toBeLessThanOrEqual(module?.durationMs ?? 0)
    expect(step.endMs - step.startMs).toBeGreaterThanOrEqual(STEP_RULES.minDurationS * 1000)
    expect(step.endMs - step.startMs).toBeLessThan(STEP_RULES.maxDurationS * 1000)
    expect(step.title.length).toBeGreaterThanOrEqual(STEP_RULES.titleMinChars)
    expect(step.title.length).toBeLessThanOrEqual(STEP_RULES.titleMaxChars)
    expect(step.description.length).toBeGreaterThanOrEqual(STEP_RULES.descriptionMinChars)
    expect(step.description.length).toBeLessThanOrEqual(STEP_RULES.descriptionMaxChars)
  }
  expect(new Set(steps.map((step) => step.id)).size).toBe(steps.length)
  return steps.length
}
