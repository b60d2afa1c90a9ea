import { env } from 'cloudflare:workers'
import { reverificationError } from '@clerk/backend/internal'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { RecordsAnswer } from '#contract/records/record-list.ts'
import { type SignOff, SignOffAnswer, SignOffPhotoAnswer, SignOffSettingsAnswer } from '#contract/records/sign-off.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import { TrainingRecord } from '#contract/records/training-record.ts'
import { stateOf } from '#contract/records/training-state.ts'
import { StepsAnswer } from '#contract/step.ts'
import { about, body } from '#contract/testing/records.ts'
import { DAY_MS } from '#contract/time/day.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { readZip } from '#records/read-zip.ts'
import { verifyRecords } from '#records/verify-records.ts'
import { listRows } from '#worker/db/db.ts'
import { dayOf, USER_ROWS_PER_DAY } from '#worker/domain/quota/take-quota.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { removeWaitingPhotos } from '#worker/domain/record/record-photo.ts'
import { readKnown } from '#worker/domain/record/record-store.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { openContext } from '#worker/entry/open-context.ts'

const STEP = { description: 'Turn the screw.', start: 0, end: 10 }
const MEANING = 'It was shown to me.'

/** A training in version 1 that has to be reached and signed off by Ann, and a supervisor. */
async function seedAsked() {
  const orgId = `org_${nanoid(8)}`
  const owner = { as: 'user_trainer', orgId, orgRole: 'org:admin' }
  const { id } = await seedModule({ userId: owner.as, orgId, status: 'READY', runStatus: 'READY', durationMs: 60_000 })
  const save = (titles: readonly string[]) =>
    answerOf(StepsAnswer, `/api/steps/${id}`, {
      ...owner,
      json: { steps: titles.map((title) => ({ ...STEP, id: title[0], title })) },
    })
  const versions = `/api/versions/${id}`
  await save(['a', 'b', 'c'])
  await answerOf(VersionsAnswer, versions, { ...owner, method: 'PUT', json: { isOn: true } })
  const { hash } = await answerOf(VersionAnswer, `${versions}/1`, owner)
  async function publish(titles: readonly string[]) {
    await save(titles)
    const { hash: draft } = await answerOf(VersionAnswer, `${versions}/draft`, owner)
    await answerOf(VersionsAnswer, versions, { ...owner, json: { draft, published: 1, note: '', retraining: 'none' } })
    return draft
  }
  await seedPeople(orgId, [
    { id: 'ann', name: 'Ann', userId: `user_ann_${id}` },
    { id: 'bob', name: 'Bob' },
  ])
  const record = (of: RecordBody) => {
    const mine = about(of, { personId: 'ann', moduleId: id })
    // The versions of the fixtures have made-up hashes.
    const bodies = [
      'training' in mine ? { ...mine, training: { ...mine.training, version: hash } } : mine,
    ] as RecordBody[]
    return appendRecords({ d1: env.DB, nowMs: Date.now }, orgId, { bodies })
  }
  await record(body.assigned({ rule: { signedOff: true } }))
  const boss = { as: 'user_boss', orgId, orgRole: 'org:member', orgPermissions: ['org:training:sign'] }
  const path = `/api/sign-off/ann/${id}`
  const signed = (shown: Record<string, boolean>, fields: Partial<SignOff> = {}): SignOff => ({
    version: hash,
    seq: 0,
    steps: Object.entries(shown).map(([step, isShown]) => ({ step, isShown, note: isShown ? '' : 'Too fast.' })),
    name: 'Bo Boss',
    meaning: MEANING,
    ...fields,
  })
  const readState = async (publishedHash = hash) => {
    const [known = null] = await readKnown(env.DB, orgId, [{ personId: 'ann', moduleId: id }])
    return { state: stateOf(known, { nowMs: Date.now(), publishedHash }), done: known?.done?.version.number ?? null }
  }
  return { orgId, id, hash, owner, boss, path, record, publish, signed, readState }
}

describe('a sign-off', () => {
  it('refuses steps, asks for exactly these again, and completes the training once they are shown', async () => {
    const { orgId, boss, path, record, signed, readState } = await seedAsked()
    await record(body.reached())
    expect(await readState()).toEqual({ state: 'in_progress', done: null })
    const before = await answerOf(SignOffAnswer, path, boss)
    expect(before).toMatchObject({ person: { name: 'Ann' }, version: { number: 1 } })
    expect(before.asked).toEqual(['a', 'b', 'c'])
    const refused = await answerOf(SignOffAnswer, path, { ...boss, json: signed({ a: true, b: false, c: true }) })
    expect(refused).toMatchObject({ asked: ['b'], notes: { b: 'Too fast.' } })
    expect(await readState()).toEqual({ state: 'refused', done: null })
    const { seq } = refused
    expect((await problemOf(path, { ...boss, json: signed({ a: true }, { seq }) })).code).toBe('invalid_request')
    const done = await answerOf(SignOffAnswer, path, { ...boss, json: signed({ b: true }, { seq }) })
    expect(done.notes).toEqual({})
    expect(await readState()).toEqual({ state: 'done', done: 1 })
    const rows = await listRows<{ text: string }>(env.DB, 'SELECT text FROM training_records WHERE org_id = ?', orgId)
    const bodies = rows.map(({ text }) => TrainingRecord.parse(JSON.parse(text)).body)
    expect(bodies.at(-1)).toMatchObject({ kind: 'signed_off', meaning: MEANING, knownBy: 'supervisor' })
    // Erasing the supervisor erases the name: no record has it.
    expect(rows.some(({ text }) => text.includes('Bo Boss'))).toBe(false)
    const people = await listRows(env.DB, 'SELECT name FROM people WHERE org_id = ? AND user_id = ?', orgId, boss.as)
    expect(people).toEqual([{ name: 'Bo Boss' }])
  })

  it('is about the version that the learner has reached, and is refused for another one', async () => {
    const { hash, boss, path, record, publish, signed, readState } = await seedAsked()
    await record(body.reached())
    const draft = await publish(['a, better said', 'b', 'c'])
    expect((await answerOf(SignOffAnswer, path, boss)).version).toEqual({ hash, number: 1 })
    const other = signed({ a: true, b: true, c: true }, { version: draft })
    expect((await problemOf(path, { ...boss, json: other })).code).toBe('version_conflict')
    await answerOf(SignOffAnswer, path, { ...boss, json: signed({ a: true, b: true, c: true }) })
    expect(await readState(draft)).toEqual({ state: 'done_older', done: 1 })
  })

  it('is about the published version where what the learner has reached has expired', async () => {
    const { orgId, id, boss, path, record, publish } = await seedAsked()
    await record(body.assigned({ rule: { signedOff: true }, everyMonths: 1 }))
    const yearAgo = { d1: env.DB, nowMs: () => Date.now() - 365 * 86_400_000 }
    const parts = [body.reached(), body.signedOff()].map((of) => about(of, { personId: 'ann', moduleId: id }))
    await appendRecords(yearAgo, orgId, { bodies: parts })
    const draft = await publish(['a, better said', 'b', 'c'])
    expect((await answerOf(SignOffAnswer, path, boss)).version).toEqual({ hash: draft, number: 2 })
  })

  it('needs every step where nothing was reached, and no other step', async () => {
    const { boss, path, signed } = await seedAsked()
    expect((await answerOf(SignOffAnswer, path, boss)).asked).toEqual(['a', 'b', 'c'])
    for (const steps of ['ab', 'abcd']) {
      const shown = Object.fromEntries(steps.split('').map((id) => [id, true]))
      expect((await problemOf(path, { ...boss, json: signed(shown) })).code).toBe('invalid_request')
    }
  })

  it('is not over what another supervisor has said meanwhile, but over what the learner has done', async () => {
    const { orgId, boss, path, record, signed } = await seedAsked()
    const { seq } = await answerOf(SignOffAnswer, path, boss)
    await record(body.reached())
    await answerOf(SignOffAnswer, path, { ...boss, json: signed({ a: true, b: false, c: true }, { seq }) })
    const other = { as: 'user_other_boss', orgId, orgRole: 'org:admin' }
    const json = signed({ a: true, b: true, c: true }, { seq, name: 'Mara Holm' })
    expect((await problemOf(path, { ...other, json })).code).toBe('version_conflict')
    const { known } = await answerOf(SignOffAnswer, path, other)
    expect(known).toMatchObject({ signedOff: null, refusedSteps: ['b'] })
  })

  it('is signed with the name that the organization has of the supervisor, and no other', async () => {
    const { orgId, boss, path, signed } = await seedAsked()
    await seedPeople(orgId, [{ id: 'boss', name: 'Bo Boss', userId: boss.as }])
    const shown = { a: true, b: true, c: true }
    const refusal = await problemOf(path, { ...boss, json: signed(shown, { name: 'Mara Holm' }) })
    expect(refusal).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('Bo Boss') })
    await answerOf(SignOffAnswer, path, { ...boss, json: signed(shown, { name: 'bo  boss' }) })
  })

  it('is not of oneself, and not for members, other organizations or people who are asked for nothing', async () => {
    const { orgId, id, boss, path, signed } = await seedAsked()
    const json = signed({ a: true, b: true, c: true })
    const codeOf = async (as: Parameters<typeof problemOf>[1], at = path) => (await problemOf(at, { ...as, json })).code
    expect(await codeOf({ ...boss, as: `user_ann_${id}` })).toBe('invalid_request')
    expect(await codeOf({ as: 'user_member', orgId, orgRole: 'org:member' })).toBe('not_found')
    expect(await codeOf({ as: 'user_other', orgId: 'org_other', orgRole: 'org:admin' })).toBe('not_found')
    expect(await codeOf(boss, `/api/sign-off/bob/${id}`)).toBe('not_found')
    expect(await codeOf(boss, '/api/sign-off/ann/none')).toBe('not_found')
  })
})

describe('the photo of a step', () => {
  const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 0xdb, 1, 2, 3, 4])

  /** Ann's training, signed off with a photo of one step. */
  async function seedPhoto() {
    const asked = await seedAsked()
    const { boss, path, signed } = asked
    const { hash: photo } = await answerOf(SignOffPhotoAnswer, `${path}/photos`, { ...boss, body: JPEG })
    const { steps, ...rest } = signed({ a: true, b: true, c: true })
    const json = { ...rest, steps: steps.map((each) => (each.step === 'b' ? { ...each, photo } : each)) }
    await answerOf(SignOffAnswer, path, { ...boss, json })
    return { ...asked, photo, photoPath: `/api/records/photos/ann/${photo}` }
  }

  async function checkExport(owner: Parameters<typeof call>[1]) {
    const files = await readZip(await (await call('/api/records/export', owner)).blob())
    const { findings, removedPhotos } = await verifyRecords([files])
    const found = findings.filter(({ code }) => code.startsWith('photo') || code.startsWith('file'))
    return { files: [...files.keys()].filter((file) => file.startsWith('photos/')), found, removedPhotos }
  }

  it('is named by the record, and shown as an image to those alone who read the records', async () => {
    const { orgId, owner, boss, photo, photoPath } = await seedPhoto()
    const [row] = await listRows<{ text: string }>(
      env.DB,
      "SELECT text FROM training_records WHERE org_id = ? AND kind = 'signed_off'",
      orgId,
    )
    const { steps } = TrainingRecord.parse(JSON.parse(row?.text ?? '')).body as { steps?: unknown }
    expect(steps).toEqual([
      { id: 'a', note: '' },
      { id: 'b', note: '', photo },
      { id: 'c', note: '' },
    ])
    const shown = await call(photoPath, owner)
    expect([...new Uint8Array(await shown.arrayBuffer())]).toEqual([...JPEG])
    const headers = ['content-type', 'x-content-type-options', 'cache-control'].map((name) => shown.headers.get(name))
    expect(headers).toEqual(['image/jpeg', 'nosniff', 'private, max-age=300'])
    for (const other of [boss, { ...owner, orgId: 'org_other' }])
      expect((await problemOf(photoPath, other)).code).toBe('not_found')
  })

  it('is kept of every step that a visit has looked at, also where another step is refused', async () => {
    const { orgId, owner, boss, path, record, signed } = await seedAsked()
    await record(body.reached())
    const send = async (last: number) => {
      const bytes = new Uint8Array([...JPEG, last])
      return (await answerOf(SignOffPhotoAnswer, `${path}/photos`, { ...boss, body: bytes })).hash
    }
    const [shown, refused, later] = [await send(1), await send(2), await send(3)]
    const withPhotos = (visit: SignOff, photos: Record<string, string>) => {
      const steps = visit.steps.map((each) => ({ ...each, ...(photos[each.step] && { photo: photos[each.step] }) }))
      return { ...visit, steps }
    }
    const first = withPhotos(signed({ a: true, b: false, c: true }), { a: shown, b: refused })
    const { asked, seq } = await answerOf(SignOffAnswer, path, { ...boss, json: first })
    expect(asked).toEqual(['b'])
    await answerOf(SignOffAnswer, path, { ...boss, json: withPhotos(signed({ b: true }, { seq }), { b: later }) })
    const { records } = await answerOf(RecordsAnswer, '/api/records', owner)
    const photos = records.map(({ kind, photos: of }) => [kind, of.map(({ hash }) => hash)])
    expect(photos.slice(0, 2)).toEqual([
      ['signed_off', [later]],
      ['refused', [refused, shown]],
    ])
    const [row] = await listRows<{ text: string }>(
      env.DB,
      "SELECT text FROM training_records WHERE org_id = ? AND kind = 'refused'",
      orgId,
    )
    expect(TrainingRecord.parse(JSON.parse(row?.text ?? '')).body).toMatchObject({
      steps: [{ id: 'b', note: 'Too fast.', photo: refused }],
      shown: [
        { id: 'a', note: '', photo: shown },
        { id: 'c', note: '' },
      ],
    })
    await removeWaitingPhotos({ ...openContext(env), nowMs: () => Date.now() + 2 * DAY_MS })
    const files = [shown, refused, later].map((hash) => `photos/${hash}.jpg`)
    const checked = await checkExport(owner)
    expect({ ...checked, files: checked.files.toSorted() }).toEqual({
      files: files.toSorted(),
      found: [],
      removedPhotos: 0,
    })
  })

  it('is in the export, and goes with the name of its person', async () => {
    const { orgId, owner, photo, photoPath } = await seedPhoto()
    expect(await checkExport(owner)).toEqual({ files: [`photos/${photo}.jpg`], found: [], removedPhotos: 0 })
    const erased = await call('/api/records/people/ann', { ...owner, method: 'DELETE', json: { name: 'Mara Holm' } })
    expect(erased.status).toBe(200)
    expect(await checkExport(owner)).toEqual({ files: [], found: [], removedPhotos: 1 })
    expect((await problemOf(photoPath, owner)).code).toBe('not_found')
    expect((await env.MEDIA.list({ prefix: `records/${orgId}/photos/` })).objects).toEqual([])
  })

  it('is not signed for where it was not sent', async () => {
    const { orgId, boss, path, signed } = await seedAsked()
    const steps = ['a', 'b', 'c'].map((step) => ({ step, isShown: true, note: '', photo: 'b'.repeat(64) }))
    const refusal = await problemOf(path, { ...boss, json: signed({}, { steps }) })
    expect(refusal).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('photo') })
    const query = "SELECT 1 FROM training_records WHERE org_id = ? AND kind <> 'assigned'"
    expect(await listRows(env.DB, query, orgId)).toEqual([])
  })

  it('is a small WebP or JPEG of somebody whom the caller signs off', async () => {
    const { orgId, id, boss, path } = await seedAsked()
    const codeOf = async (as: object, body: BodyInit = JPEG, at = path) =>
      (await problemOf(`${at}/photos`, { ...as, method: 'POST', body })).code
    expect(await codeOf(boss, '<svg/>')).toBe('unsupported_media_type')
    expect(await codeOf(boss, new Uint8Array(150 * 1024 + 1).fill(0xff))).toBe('payload_too_large')
    expect(await codeOf({ as: 'user_member', orgId, orgRole: 'org:member' })).toBe('not_found')
    expect(await codeOf({ ...boss, as: `user_ann_${id}` })).toBe('invalid_request')
    expect(await codeOf(boss, JPEG, `/api/sign-off/bob/${id}`)).toBe('not_found')
    expect((await env.MEDIA.list({ prefix: `records/${orgId}/photos/` })).objects).toEqual([])
  })

  it('is one of so many of a supervisor on one day', async () => {
    const { boss, path } = await seedAsked()
    const as = { ...boss, as: `user_${nanoid(8)}` }
    const insert = "INSERT INTO quota_uses (module_id, kind, day, user_id, amount) VALUES (?1, 'photos', ?2, ?1, ?3)"
    await env.DB.prepare(insert)
      .bind(as.as, dayOf(Date.now()), USER_ROWS_PER_DAY.photos - 1)
      .run()
    await answerOf(SignOffPhotoAnswer, `${path}/photos`, { ...as, body: JPEG })
    const refusal = await problemOf(`${path}/photos`, { ...as, method: 'POST', body: JPEG })
    expect(refusal).toMatchObject({ code: 'quota_reached', detail: expect.stringContaining('300 photos') })
  })
})

describe('the password before a signature', () => {
  const SETTINGS = '/api/sign-off/settings'
  const at = <Person extends object>(person: Person, minutesAgo: number) => ({
    ...person,
    claims: { fva: [minutesAgo, -1] },
  })

  it('is asked for where it was given longer ago than the organization allows', async () => {
    const { orgId, owner, boss, path, signed } = await seedAsked()
    const json = signed({ a: true, b: false, c: true })
    await answerOf(SignOffSettingsAnswer, SETTINGS, { ...owner, method: 'PUT', json: { passwordMinutes: 30 } })
    for (const old of [at(boss, 30), at(boss, -1), boss]) {
      const refusal = await problemOf(path, { ...old, json })
      expect(refusal).toMatchObject({ status: 403, code: 'reverification_needed' })
    }
    const records = await listRows(
      env.DB,
      "SELECT 1 FROM training_records WHERE org_id = ? AND kind = 'refused'",
      orgId,
    )
    expect(records).toEqual([])
    const { known } = await answerOf(SignOffAnswer, path, { ...at(boss, 29), json })
    expect(known.refusedSteps).toEqual(['b'])
  })

  it("says so as Clerk's scripts read it", async () => {
    const { owner, boss, path, signed } = await seedAsked()
    await answerOf(SignOffSettingsAnswer, SETTINGS, { ...owner, method: 'PUT', json: { passwordMinutes: 5 } })
    const response = await call(path, { ...at(boss, 6), json: signed({ a: true }) })
    const { clerk_error } = await response.json<{ clerk_error: unknown }>()
    expect({ clerk_error }).toEqual(reverificationError({ level: 'first_factor', afterMinutes: 5 }))
  })

  it('is not asked for where the organization has not said so, nor by another one', async () => {
    const { owner, boss, path, signed } = await seedAsked()
    const other = { ...owner, orgId: 'org_with_limit' }
    await answerOf(SignOffSettingsAnswer, SETTINGS, { ...other, method: 'PUT', json: { passwordMinutes: 5 } })
    expect(await answerOf(SignOffSettingsAnswer, SETTINGS, owner)).toMatchObject({ passwordMinutes: null })
    await answerOf(SignOffAnswer, path, { ...at(boss, 600), json: signed({ a: false }) })
  })

  it('is set by those who manage the organization, and can be switched off again', async () => {
    const { owner, boss, path, signed } = await seedAsked()
    const set = (passwordMinutes: number | null, minutesAgo: number) => ({
      ...at(owner, minutesAgo),
      method: 'PUT',
      json: { passwordMinutes },
    })
    await answerOf(SignOffSettingsAnswer, SETTINGS, set(5, 600))
    // Not by somebody who has found the device signed in.
    expect((await problemOf(SETTINGS, set(null, 5))).code).toBe('reverification_needed')
    expect(await answerOf(SignOffSettingsAnswer, SETTINGS, owner)).toMatchObject({ passwordMinutes: 5 })
    await answerOf(SignOffSettingsAnswer, SETTINGS, set(null, 4))
    await answerOf(SignOffAnswer, path, { ...at(boss, 600), json: signed({ a: false }) })
    const refused = { ...boss, method: 'PUT', json: { passwordMinutes: null } }
    expect((await problemOf(SETTINGS, refused)).code).toBe('not_found')
    const wrong = { ...owner, method: 'PUT', json: { passwordMinutes: 0 } }
    expect((await problemOf(SETTINGS, wrong)).code).toBe('invalid_request')
  })
})
