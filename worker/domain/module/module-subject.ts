import { SUBJECTS_WITH_TASKS } from '#worker/tasks/claim-tasks.ts'
import type { Subject, SubjectSql } from '#worker/tasks/task.ts'

/** A module as the subject of tasks. */
export function moduleSubjectOf(moduleId: string): Subject {
  return { subjectKind: 'module', subjectId: moduleId }
}

/** Modules as subjects: open are all that were not deleted. */
export const MODULE_SUBJECT: SubjectSql = {
  kind: 'module',
  open: `SELECT m.id, m.user_id AS owner FROM (${SUBJECTS_WITH_TASKS}) AS q CROSS JOIN modules AS m ON m.id = q.id`,
  isOpen: (id) => `EXISTS (SELECT 1 FROM modules WHERE modules.id = ${id})`,
  openSince: () => 'NULL',
  requestId: () => 'NULL',
}
