import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { seedModule } from '#local/testing/modules.ts'
import { softDeleteModule } from '#worker/domain/module/deleted-store.ts'
import { MODULE_SUBJECT } from '#worker/domain/module/module-subject.ts'
import { addTranslateTasks, LANGUAGES_JSON, listTranslating } from '#worker/domain/module/translate-tasks.ts'
import { planOtherLanguages } from '#worker/domain/run/chunk-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { recover } from '#worker/pipeline/recover.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, transcribedIn } from '#worker/pipeline/testing/drive.ts'
import { moduleOf } from '#worker/pipeline/testing/outcome.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { StepWriter } from '#worker/ports/language-model.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { settleRepeated } from '#worker/tasks/task-store.ts'
import { carryTasksOver, removeErasedTasks } from './carry-tasks.ts'
import { subjectOf } from './run-subject.ts'
import { addIngestTask } from './run-task-store.ts'

holdTasks()

const MINUTE = 60_000

/** Puts all tasks back into the table of the version before, as that wrote them. */
async function returnToFormer(): Promise<void> {
  const columns = 'kind, idx, state, lease_until, lease_id, attempts, next_attempt_at, busy_since, size_bytes'
  await env.DB.batch([
    env.DB.prepare('DELETE FROM tasks'),
    env.DB.prepare(
      `INSERT INTO tasks (module_id, run, ${columns})
       SELECT iif(subject_kind = 'run', substr(subject_id, 1, instr(subject_id, '/') - 1), subject_id),
         iif(subject_kind = 'run', CAST(substr(subject_id, instr(subject_id, '/') + 1) AS INTEGER), 0), ${columns}
       FROM task_queue`,
    ),
    env.DB.prepare('DELETE FROM task_queue'),
  ])
}

/** A task of the version before. */
async function addFormer(task: { moduleId: string; run: number; kind: string; index: number }, dueMs = 0) {
  await env.DB.prepare('INSERT INTO tasks (module_id, run, kind, idx, next_attempt_at) VALUES (?, ?, ?, ?, ?)')
    .bind(task.moduleId, task.run, task.kind, task.index, dueMs)
    .run()
}

/** A run of four minutes in the middle of its work: one chunk is transcribed, one failed twice, two are in progress. */
async function seedHalfDone() {
  const driver = openDriver()
  const id = await seedRun(4 * MINUTE)
  await driver.deliver([{ kind: 'ingest', ...id }])
  await driver.deliver([{ kind: 'ingest', ...id, index: 1 }])
  const [first, failed, claimed, lost] = await driver.listReady('transcribe')
  if (first === undefined || lost === undefined) throw new Error('too few chunks')
  await driver.deliver([first])
  const change = (set: string, index: number | undefined) =>
    env.DB.prepare(`UPDATE task_queue SET ${set} WHERE subject_id = ? AND kind = 'transcribe' AND idx = ?`)
      .bind(subjectOf(id).subjectId, index)
      .run()
  await change('attempts = 2', failed?.index)
  await change(`lease_id = 'theirs', lease_until = ${Date.now() + MINUTE}`, claimed?.index)
  await change(`lease_id = 'theirs', lease_until = 1`, lost.index)
  return { driver, id, first: first.index, failed: failed?.index, claimed: claimed?.index, lost: lost.index }
}

async function rowOf(id: RunId, index: number | undefined, kind = 'transcribe') {
  const query = `SELECT state, attempts, lease_id AS leaseId, lease_until AS leaseUntil FROM task_queue
    WHERE subject_id = ? AND kind = ? AND idx = ?`
  return env.DB.prepare(query).bind(subjectOf(id).subjectId, kind, index).first()
}

const countFormer = () => env.DB.prepare('SELECT count(*) AS n FROM tasks').first('n')

const countWritten = ({ moduleId }: RunId) =>
  env.DB.prepare('SELECT written_sections AS n FROM runs WHERE module_id = ?').bind(moduleId).first('n')

/** The chunks that a run counts as transcribed, those that it has, and how often the recogniser was called. */
async function countChunks({ deps }: Driver, { moduleId }: RunId) {
  const query = 'SELECT transcribed_count AS done, chunk_count AS count FROM runs WHERE module_id = ?'
  const run = await env.DB.prepare(query).bind(moduleId).first<{ done: number; count: number }>()
  return { ...run, calls: (deps.services.speech as unknown as { calls: unknown[] }).calls.length }
}

describe('tasks that the version before has written', () => {
  it('are carried over and done, except those that one of its workers still does', async () => {
    const { driver, id, failed, claimed, lost } = await seedHalfDone()
    await returnToFormer()
    expect(await driver.listReady()).toEqual([])
    await carryTasksOver(driver.deps)
    expect(await rowOf(id, failed)).toMatchObject({ attempts: 2, leaseId: null, leaseUntil: 0 })
    // Its worker died: the next claim counts that.
    expect(await rowOf(id, lost)).toMatchObject({ attempts: 0, leaseUntil: 1 })
    expect(await rowOf(id, claimed)).toBeNull()
    expect(await countFormer()).toBe(1)
    // That worker dies after all.
    await env.DB.prepare('UPDATE tasks SET lease_until = 1').run()
    await carryTasksOver(driver.deps)
    expect(await countFormer()).toBe(0)
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
    const { done, count, calls } = await countChunks(driver, id)
    expect([done, calls]).toEqual([count, count])
  })

  it('are carried over by the watchdog of a run that has nothing else to do', async () => {
    const { driver, id, failed } = await seedHalfDone()
    await returnToFormer()
    await recover(driver.deps, id.moduleId)
    expect(await rowOf(id, failed)).not.toBeNull()
    expect(driver.rung).toContainEqual({ kind: 'transcribe' })
  })

  it('are rung for by the sweep, by kind, translations among them', async () => {
    const { id } = await seedModule({ status: 'READY', runStatus: 'READY', run: 1 })
    await addFormer({ moduleId: id, run: 0, kind: 'translate', index: 1 })
    const driver = openDriver()
    expect(await carryTasksOver(driver.deps)).toBe(1)
    expect(driver.rung).toEqual([{ kind: 'translate' }])
    expect(await listTranslating(env.DB, id)).toEqual(['es'])
    expect(await carryTasksOver(driver.deps)).toBe(0)
    expect(driver.rung).toHaveLength(1)
  })

  it('have a chunk transcribed again that was planned again meanwhile', async () => {
    const { driver, id, first } = await seedHalfDone()
    await returnToFormer()
    await planOtherLanguages(env.DB, id, { language: 'es', chunk: first, nowMs: Date.now() })
    await carryTasksOver(driver.deps)
    expect(await rowOf(id, first)).toMatchObject({ state: 'ready', leaseId: null, attempts: 0 })
  })

  it('are removed once the version before has erased their module, which does not know them', async () => {
    const { deps } = openDriver()
    const [kept, deleted, erased] = [await seedRun(MINUTE), await seedRun(MINUTE), await seedRun(MINUTE)]
    const addTasks = addTranslateTasks({ languages: '?1', dueMs: '?2', where: 'm.id IN (?3, ?4, ?5)' })
    const ids = [kept, deleted, erased].map(({ moduleId }) => moduleId)
    await env.DB.prepare("UPDATE modules SET languages = json_array('es') WHERE id IN (?, ?, ?)")
      .bind(...ids)
      .run()
    await env.DB.prepare(addTasks)
      .bind(LANGUAGES_JSON, 0, ...ids)
      .run()
    await env.DB.prepare("UPDATE task_queue SET state = 'done' WHERE kind = 'ingest' AND subject_id = ?")
      .bind(subjectOf(erased).subjectId)
      .run()
    await addIngestTask(deps.db, erased, { index: 1, nowMs: 0 })
    await softDeleteModule(deps.db, deleted.moduleId, { nowMs: 1, kind: 'restorable' })
    await env.DB.prepare('DELETE FROM modules WHERE id = ?').bind(erased.moduleId).run()
    await removeErasedTasks(env.DB)
    const count = (id: string) =>
      env.DB.prepare("SELECT count(*) AS n FROM task_queue WHERE subject_id GLOB ? || '*'").bind(id).first('n')
    expect(await Promise.all(ids.map(count))).toEqual([2, 2, 0])
  })
})

describe('a task that both tables have', () => {
  it('keeps its failures', async () => {
    const { driver, id, failed = 0 } = await seedHalfDone()
    await addFormer({ ...id, kind: 'transcribe', index: failed })
    await carryTasksOver(driver.deps)
    expect(await rowOf(id, failed)).toMatchObject({ attempts: 2 })
  })

  it('is done again where the version before has added it again', async () => {
    const { driver, id } = await seedHalfDone()
    await env.DB.prepare(
      `INSERT INTO task_queue (subject_kind, subject_id, kind, idx, state, next_attempt_at)
       VALUES ('run', ?, 'write_steps', 0, 'done', 0)`,
    )
      .bind(subjectOf(id).subjectId)
      .run()
    await addFormer({ ...id, kind: 'write_steps', index: 0 })
    await carryTasksOver(driver.deps)
    expect(await rowOf(id, 0, 'write_steps')).toMatchObject({ state: 'ready' })
  })

  it('is due again after a translation in progress', async () => {
    const { deps } = openDriver()
    const { id } = await seedModule({ status: 'READY', runStatus: 'READY', run: 1, languages: ['es'] })
    const addTasks = addTranslateTasks({ languages: '?1', dueMs: '?2', where: 'm.id = ?3' })
    await env.DB.prepare(addTasks).bind(LANGUAGES_JSON, 0, id).run()
    const claim = { kind: 'translate', subject: MODULE_SUBJECT, limit: 1, bytes: 1, isIdle: true } as const
    const claimedMs = Date.now()
    const [task] = await claimTasks(env.DB, { ...claim, nowMs: claimedMs })
    if (task === undefined) throw new Error('not claimed')
    await addFormer({ moduleId: id, run: 0, kind: 'translate', index: task.index }, claimedMs + 1)
    await carryTasksOver(deps)
    await env.DB.batch(settleRepeated(env.DB, task, claimedMs))
    expect(await listTranslating(env.DB, id)).toEqual(['es'])
  })

  /** The version before does the first chunk or section, under its own lease. */
  const finishFirst = (table: 'audio_chunks' | 'sections') =>
    env.DB.batch(
      table === 'sections'
        ? [
            env.DB.prepare("UPDATE sections SET status = 'written', steps = '[]' WHERE section = 0"),
            env.DB.prepare('UPDATE runs SET written_sections = written_sections + 1'),
          ]
        : [
            env.DB.prepare("UPDATE audio_chunks SET status = 'transcribed', words = '[]' WHERE chunk = 0"),
            env.DB.prepare('UPDATE runs SET transcribed_count = transcribed_count + 1'),
          ],
    )

  it('counts a chunk once, and does not pay for it again where it is done', async () => {
    const speech = fakeSpeech(async (chunk) => (await finishFirst('audio_chunks'), transcribedIn(chunk)))
    const driver = openDriver({ speech })
    const id = await seedRun(2 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    expect(await driver.deliver([{ kind: 'transcribe', ...id, index: 0 }])).toEqual({ done: 1, retried: 0 })
    expect(await countChunks(driver, id)).toMatchObject({ done: 1, calls: 1 })
    await env.DB.prepare("UPDATE task_queue SET state = 'ready' WHERE kind = 'transcribe' AND idx = 0").run()
    expect(await driver.deliver([{ kind: 'transcribe', ...id, index: 0 }])).toEqual({ done: 1, retried: 0 })
    expect(await countChunks(driver, id)).toMatchObject({ done: 1, calls: 1 })
  })

  it('counts a section once, and does not pay for it again where it is done', async () => {
    let calls = 0
    const writeSteps: StepWriter['writeSteps'] = async (window, signal) => {
      calls += 1
      await finishFirst('sections')
      return extractiveStepWriter.writeSteps(window, signal)
    }
    const driver = openDriver({ stepWriter: { name: 'fake', writeSteps } })
    const id = await seedRun(2 * MINUTE)
    await driver.deliver([{ kind: 'ingest', ...id }])
    await driver.deliver(await driver.listReady('transcribe'))
    expect(await driver.deliver([{ kind: 'write_steps', ...id, index: 0 }])).toEqual({ done: 1, retried: 0 })
    expect([await countWritten(id), calls]).toEqual([1, 1])
    await env.DB.prepare("UPDATE task_queue SET state = 'ready' WHERE kind = 'write_steps' AND idx = 0").run()
    expect(await driver.deliver([{ kind: 'write_steps', ...id, index: 0 }])).toEqual({ done: 1, retried: 0 })
    expect([await countWritten(id), calls]).toEqual([1, 1])
  })
})
