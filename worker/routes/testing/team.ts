import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { Done } from '#contract/module.ts'
import type { Publishers } from '#contract/review.ts'
import { StepsAnswer } from '#contract/step.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'

/** Somebody of an organization, as a call names them. */
export interface Person {
  as: string
  orgId: string
  orgRole: string
  orgPermissions?: string[]
}

/** The people of a new organization. */
export function makeTeam() {
  const orgId = `org_${nanoid(8)}`
  const make = (orgRole: string): Person => ({ as: `user_${nanoid(8)}`, orgId, orgRole })
  return {
    uploader: make('org:member'),
    member: make('org:member'),
    admin: make('org:admin'),
    approver: { ...make('org:qa'), orgPermissions: ['org:versions:approve'] },
  }
}

/** An organization with a training of which version 1 is published, and the people in it. */
export async function seedTeam(publishers: Publishers, fields: Parameters<typeof seedModule>[0] = {}) {
  const people = makeTeam()
  const { as, orgId } = people.uploader
  const ready = { status: 'READY', runStatus: 'READY', durationMs: 60_000 } as const
  const { id } = await seedModule({ userId: as, orgId, ...ready, ...fields })
  await answerOf(VersionsAnswer, `/api/versions/${id}`, { ...people.uploader, method: 'PUT', json: { isOn: true } })
  await answerOf(Done, '/api/account/publishers', { ...people.admin, method: 'PUT', json: { publishers } })
  return { id, ...people }
}

/** Saves a step of this title. */
export function edit(id: string, person: Person, title: string): Promise<StepsAnswer> {
  const json = { steps: [{ title, start: 1, end: 9 }] }
  return answerOf(StepsAnswer, `/api/steps/${id}`, { ...person, json })
}

/** Who changed last what a version is made of. */
export function editorOf(id: string) {
  return env.DB.prepare('SELECT edited_by FROM modules WHERE id = ?').bind(id).first('edited_by')
}

export const APPROVAL = { name: 'Kim Lee', meaning: 'approved', words: 'Seen at the machine.' } as const

/** A call that publishes the draft as it is now. */
export async function bodyOf(id: string, person: Person, fields: object = { approval: APPROVAL }) {
  const { hash: draft } = await answerOf(VersionAnswer, `/api/versions/${id}/draft`, person)
  const { published } = await answerOf(VersionsAnswer, `/api/versions/${id}`, person)
  return { ...person, json: { draft, published, note: '', retraining: 'none', ...fields } }
}

/** Publishes the draft as it is now. */
export async function publish(id: string, person: Person): Promise<VersionsAnswer> {
  return answerOf(VersionsAnswer, `/api/versions/${id}`, await bodyOf(id, person))
}
