import { env } from 'cloudflare:workers'
import { createParser } from 'eventsource-parser'
import { nanoid } from 'nanoid'
import { openDb } from '#worker/db/db.ts'
import { assignments, people, peopleGroups } from '#worker/db/record-tables.ts'
import { collections, invitations } from '#worker/db/share-tables.ts'
import type { NewModule } from '#worker/domain/module/module-store.ts'
import { namePerson } from '#worker/domain/person/person-name.ts'
import { NARRATION, STEPS, saySegments } from '#worker/domain/tutor/testing/narration.ts'
import { call } from './api.ts'
import { seedCaptions, seedModule } from './modules.ts'

/** What the narration of a planted module answers, and how. */
export const WRENCH = 'Where is the wrench for the wheel nuts?'

/** A module that is READY, with what a trainer says about changing a tyre. @returns its owner and its id */
export async function seedTutored(fields: Partial<NewModule> = {}, texts: readonly string[] = NARRATION) {
  const as = fields.userId ?? `user_${nanoid(8)}`
  const { id: moduleId } = await seedModule({ userId: as, status: 'READY', durationMs: 120_000, ...fields })
  await seedCaptions(moduleId, saySegments(texts))
  const saved = await call(`/api/steps/${moduleId}`, { as, json: { steps: STEPS } })
  if (!saved.ok) throw new Error(await saved.text())
  return { as, moduleId }
}

/**
 * A collection of one module, of the same owner and with the same id, so that routes about either can be asked alike.
 * However many its owner has.
 */
export async function seedCollection(
  as: string,
  moduleId: string,
  { orgId = null, shared = true }: Partial<NewModule>,
) {
  const made = { id: moduleId, userId: as, orgId, title: 'Wheels', createdAt: 1_000, updatedAt: 1_000 }
  await openDb(env.DB)
    .insert(collections)
    .values({ ...made, moduleIds: [moduleId], shared })
}

/** An account that has accepted an invitation to edit a module. */
export async function seedEditor(moduleId: string, userId: string) {
  const at = { createdAt: 1_000, expiresAt: 2_000, acceptedAt: 1_500 }
  const row = { id: `for-${moduleId}`, moduleId, name: 'Kim Lee', linkHash: moduleId, userId, userName: 'Kim', ...at }
  await openDb(env.DB).insert(invitations).values(row)
}

/** A person of an organization, a group and an assignment with one id. */
export async function seedPerson(orgId: string, id: string, name = 'Anna Berg') {
  const db = openDb(env.DB)
  const named = await namePerson({ name, number: null }, [])
  const at = { createdAt: 1_000, updatedAt: 1_000 }
  await db.batch([
    db.insert(people).values({ orgId, id, ...named, ...at }),
    db.insert(peopleGroups).values({ orgId, id, name: 'Line 3', createdAt: 1_000 }),
    db.insert(assignments).values({
      orgId,
      id,
      groupIds: [id],
      personIds: [],
      rule: { reached: true, confirmed: false, signedOff: false },
      byPersonId: id,
      createdAt: 1_000,
    }),
  ])
}

/** The values of a stream's events, read by a parser that does not use the project's code. */
export async function readEvents(response: Response): Promise<unknown[]> {
  const events: unknown[] = []
  const parser = createParser({
    onEvent: ({ data }) => events.push(data === '[DONE]' ? data : JSON.parse(data)),
    onError: (error) => {
      throw error
    },
  })
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  parser.feed(decoder.decode())
  return events
}
