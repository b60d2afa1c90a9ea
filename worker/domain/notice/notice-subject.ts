import { SUBJECTS_WITH_TASKS } from '#worker/tasks/claim-tasks.ts'
import type { SubjectSql } from '#worker/tasks/task.ts'
import { isMail, type Notice, nameNotice } from './notice.ts'

/** Between organization and channel, and channel and name, in the id of a notice. */
const CHANNELS = { mail: '/mail/', event: '/event/' } as const

/** Id of a notice as the subject of a task. */
export function noticeId(orgId: string, notice: Notice): string {
  return `${orgId}${CHANNELS[isMail(notice) ? 'mail' : 'event']}${nameNotice(notice)}`
}

/** Reads the organization, and the name of a notice in it, from the id of a subject. */
export function readNoticeId(id: string): { orgId: string; name: string } {
  const [orgId = '', , ...name] = id.split('/')
  return { orgId, name: name.join('/') }
}

/** Comes behind everything that the name of a notice may have. */
const LAST = '\u{10ffff}'

/** Ids of the events of an organization: from the first to before the second. */
export function eventIdsOf(orgId: string): [from: string, to: string] {
  const all = `${orgId}${CHANNELS.event}`
  return [all, all + LAST]
}

/** The organization of a notice in SQL, by the id of its subject. */
export const orgIn = (id: string) => `substr(${id}, 1, instr(${id}, '/') - 1)`

/** Whether a notice is an event in SQL, by the id of its subject. */
export const isEvent = (id: string) => `instr(${id}, '${CHANNELS.event}') > 0`

/** Notices as subjects. Events of an address that is stopped wait; organizations take turns. */
export const NOTICE_SUBJECT: SubjectSql = {
  kind: 'notice',
  open: `SELECT q.id, ${orgIn('q.id')} AS owner FROM (${SUBJECTS_WITH_TASKS}) AS q
    WHERE NOT ${isEvent('q.id')} OR NOT EXISTS (
      SELECT 1 FROM webhooks AS w WHERE w.org_id = ${orgIn('q.id')} AND w.stopped_at IS NOT NULL)`,
  isOpen: () => '1',
  openSince: () => 'NULL',
  requestId: () => 'NULL',
}
