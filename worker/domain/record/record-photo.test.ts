import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { RecordBody } from '#contract/records/training-record.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { appendRecords } from './append-records.ts'
import { keepPhoto, type PhotoPlace, removeWaitingPhotos, requirePhotos } from './record-photo.ts'
import { seedPeople } from './testing/seed-people.ts'
import { ANNA, BOSS, TRAINING } from './testing/seed-records.ts'

const HOUR_MS = 3_600_000
const context = openContext(env)
const inHours = (hours: number) => ({ ...context, nowMs: () => Date.now() + hours * HOUR_MS })

/** Keeps a photo of Anna that is like no other. */
async function keep(orgId: string, last: number): Promise<PhotoPlace> {
  const place = { orgId, personId: ANNA.id }
  const photo = { bytes: new Uint8Array([0xff, 0xd8, 0xff, last]), type: 'image/jpeg' } as const
  return { ...place, hash: await keepPhoto(env.MEDIA, place, photo) }
}

const refusedWith = (photo: string): RecordBody => ({
  kind: 'refused',
  person: ANNA,
  knownBy: 'supervisor',
  training: TRAINING,
  deviceTime: null,
  wasOffline: false,
  supervisor: BOSS,
  meaning: 'Once more.',
  steps: [{ id: 'a', note: '', photo }],
})

/** The hashes of the photos of an organization that are kept. */
async function listKept(orgId: string): Promise<string[]> {
  const { objects } = await env.MEDIA.list({ prefix: `records/${orgId}/photos/` })
  return objects.map(({ key }) => key.split('/').at(-1) ?? '')
}

const listMarks = async (orgId: string) => (await env.MEDIA.list({ prefix: `waiting-photos/${orgId}/` })).objects

it('is removed a day later where no record names it, and stays where one does', async () => {
  const org = 'org_photos'
  await seedPeople(org, [{ id: ANNA.id, name: 'Anna' }])
  const [named, unnamed] = [await keep(org, 1), await keep(org, 2)]
  await appendRecords(context, org, { bodies: [refusedWith(named.hash)] })
  await removeWaitingPhotos(inHours(24))
  expect((await listKept(org)).toSorted()).toEqual([named.hash, unnamed.hash].toSorted())
  await removeWaitingPhotos(inHours(26))
  expect(await listKept(org)).toEqual([named.hash])
  expect(await listMarks(org)).toEqual([])
})

it('is not kept by a hash that stands in a note, nor by a record about somebody else', async () => {
  const org = 'org_photos_noted'
  const [, bob] = await seedPeople(org, [
    { id: ANNA.id, name: 'Anna' },
    { id: 'bob', name: 'Bob' },
  ])
  const { hash } = await keep(org, 3)
  const noted = { ...refusedWith('0'.repeat(64)), steps: [{ id: 'a', note: `"photo":"${hash}"` }] } as RecordBody
  const ofBob = { ...refusedWith(hash), person: bob } as RecordBody
  await appendRecords(context, org, { bodies: [noted, ofBob] })
  await removeWaitingPhotos(inHours(26))
  expect(await listKept(org)).toEqual([])
})

it('is removed though a record names it where its person was erased meanwhile', async () => {
  const org = 'org_photos_erased'
  await seedPeople(org, [{ id: ANNA.id, name: 'Anna' }])
  const { hash } = await keep(org, 4)
  await appendRecords(context, org, { bodies: [refusedWith(hash)] })
  await env.DB.prepare('DELETE FROM people WHERE org_id = ?').bind(org).run()
  await removeWaitingPhotos(inHours(26))
  expect(await listKept(org)).toEqual([])
})

it('can be signed for a day, by the person of whom it was sent', async () => {
  const org = 'org_photos_signed'
  const place = await keep(org, 5)
  await requirePhotos(inHours(23), [place])
  await expect(requirePhotos(inHours(25), [place])).rejects.toMatchObject({ code: 'invalid_request' })
  const ofBob = { ...place, personId: 'bob' }
  await expect(requirePhotos(context, [ofBob])).rejects.toMatchObject({ code: 'invalid_request' })
})
