import type { LanguageTag } from '#contract/languages.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addTranslateTasks, LANGUAGES_JSON } from '#worker/domain/module/translate-tasks.ts'
import { logLine } from '#worker/log/log.ts'
import { ring } from '#worker/tasks/ring.ts'

/** An editor saves each second, so texts are translated only when they have not changed for this time. */
const REST_MS = 3_000

type RequestContext = Pick<Context, 'd1' | 'queues' | 'nowMs'>

/** Makes the statement that adds the tasks of translating a READY module into its languages, due at a time. */
export function addTasksOf(d1: D1Database, moduleId: string, dueMs: number): D1PreparedStatement {
  const sql = addTranslateTasks({ languages: '?2', dueMs: '?3', where: "m.id = ?1 AND m.status = 'READY'" })
  return d1.prepare(sql).bind(moduleId, LANGUAGES_JSON, dueMs)
}

/**
 * Has what a person has changed of a module translated again, once the changes rest. Never fails what it follows: the
 * list of languages that its owner opens asks again.
 */
export async function requestTranslations(
  context: RequestContext,
  { id, languages }: Pick<ModuleRow, 'id' | 'languages'>,
): Promise<void> {
  if (languages.length === 0) return
  try {
    await addTasksOf(context.d1, id, context.nowMs() + REST_MS).run()
    await ring(context, 'translate', { delaySeconds: REST_MS / 1_000 })
  } catch (error) {
    logLine('warn', 'translation_lost', { moduleId: id, ...faultOf(error) })
  }
}

/** Switches languages on and off, with the tasks of those that are on. What was translated stays for the next time. */
export async function setLanguages(
  context: RequestContext,
  moduleId: string,
  languages: readonly LanguageTag[],
): Promise<void> {
  const { d1, nowMs } = context
  const chosen = JSON.stringify([...new Set(languages)])
  await d1.batch([
    d1.prepare('UPDATE modules SET languages = ? WHERE id = ?').bind(chosen, moduleId),
    addTasksOf(d1, moduleId, nowMs()),
  ])
  if (languages.length > 0) await ring(context, 'translate')
}
