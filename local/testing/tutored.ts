import { env } from 'cloudflare:workers'
import { createParser } from 'eventsource-parser'
import { nanoid } from 'nanoid'
import { openDb } from '#worker/db/db.ts'
import { collections } from '#worker/db/share-tables.ts'
import type { NewModule } from '#worker/domain/module/module-store.ts'
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
