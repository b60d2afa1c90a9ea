import { LANGUAGE_TAGS, type LanguageTag } from '#contract/languages.ts'
import type { TaskKey } from '#worker/tasks/task.ts'
import { insertTasks, listReadyTasks } from '#worker/tasks/task-store.ts'
import { moduleSubjectOf } from './module-subject.ts'

/** The languages as {@link addTranslateTasks} reads them: the place of each numbers its tasks. */
export const LANGUAGES_JSON = JSON.stringify(LANGUAGE_TAGS)

/**
 * Makes SQL that adds the tasks of translating modules into the languages that are switched on. One that is there is due
 * then as well, so that its consumer finds that more has changed.
 * @param languages parameter with {@link LANGUAGES_JSON}
 * @param dueMs parameter with the time at which they are due
 * @param where condition on the modules `m`
 */
export function addTranslateTasks({
  languages,
  dueMs,
  where,
}: Record<'languages' | 'dueMs' | 'where', string>): string {
  return insertTasks({
    subjectKind: 'module',
    kind: 'translate',
    subjectId: 'm.id',
    index: 'place.key',
    dueMs,
    from: `modules AS m, json_each(${languages}) AS place JOIN json_each(m.languages) AS chosen
      ON chosen.value = place.value`,
    where,
    isRepeated: true,
  })
}

/** The language that a task translates into; undefined where this version does not know it. */
export function languageOfTask({ index }: Pick<TaskKey, 'index'>): LanguageTag | undefined {
  return LANGUAGE_TAGS[index]
}

/** Lists the languages that a module is being translated into. */
export async function listTranslating(d1: D1Database, moduleId: string): Promise<LanguageTag[]> {
  const indexes = await listReadyTasks(d1, moduleSubjectOf(moduleId), 'translate')
  return indexes.flatMap((index) => languageOfTask({ index }) ?? [])
}
