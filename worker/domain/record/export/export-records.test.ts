import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { ExportRequest } from '#contract/records/export-request.ts'
import type { RecordBody, RecordedPerson } from '#contract/records/training-record.ts'
import { readPart } from '#records/export-parts.ts'
import type { Files } from '#records/join-parts.ts'
import { readZip } from '#records/read-zip.ts'
import { verifyRecords } from '#records/verify-records.ts'
import { countD1, openDb } from '#worker/db/db.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { takeCheckpoint } from '#worker/domain/record/checkpoint.ts'
import { erasePerson } from '#worker/domain/record/erase-person.ts'
import { keepPhoto } from '#worker/domain/record/record-photo.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { addObject, putObjects } from '#worker/domain/version/version-objects.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { PART_LIMITS, type PartLimits } from './export-part.ts'
import { exportRecords } from './export-records.ts'

/** Adds rows, of which the export minds only the text. */
async function seedRows(orgId: string, count: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO training_records (org_id, seq, hash, text, kind, created_at)
     WITH RECURSIVE numbers (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ?2)
     SELECT ?1, seq, ?3, '{"words":"Understood"}', 'confirmed', 0 FROM numbers`,
  )
    .bind(orgId, count, '0'.repeat(64))
    .run()
}

const FIRST = ExportRequest.parse({})
const context = openContext(env)

/** Exports a part. @returns it with the calls that it took of database and bucket */
async function exportPart(orgId: string, { request = FIRST, limits = PART_LIMITS } = {}) {
  const { d1, queries } = countD1(env.DB)
  let objects = 0
  const bucket = new Proxy(env.MEDIA, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...values: unknown[]) => {
        objects += 1
        return Reflect.apply(value, target, values) as unknown
      }
    },
  })
  const options = { orgId, request, limits, verifyPage: '' }
  const zip = await exportRecords({ d1, db: openDb(d1), bucket, nowMs: () => 0 }, options)
  return { files: await readZip(await new Response(zip).blob()), calls: queries() + objects }
}

it('reads thousands of records in a few queries', async () => {
  await seedRows('org_export_many', 12_000)
  const { files, calls } = await exportPart('org_export_many')
  const lines = (await files.get('records.jsonl')?.text())?.split('\n') ?? []
  expect(lines).toHaveLength(12_001)
  expect(calls).toBeLessThan(20)
})

const PEOPLE = 7
const VISITS = 50
const VERSIONS = 20
const LIMITS: PartLimits = { calls: 40, pageBytes: 2_000, peopleAtOnce: 3 }
/** What a part is about: its checkpoints, where the list begins, and where it ends. */
const ABOUT_CALLS = 3

async function seedVersion(moduleId: string, number: number) {
  const texts = new Map<string, string>()
  const page = await addObject(texts, { title: `Press ${number}`, steps: [] })
  const version = await addObject(texts, {
    captions: null,
    module: { title: 'Press' },
    translations: { de: { page, captions: null } },
  })
  await putObjects(env.MEDIA, moduleId, texts)
  await env.DB.prepare(
    `INSERT INTO training_versions (module_id, number, hash, note, retraining, user_id, published_at, title, step_count, steps_version)
     VALUES (?, ?, ?, '', 'none', 'u', 0, 'Press', 1, 1)`,
  )
    .bind(moduleId, number, version)
    .run()
  return { id: moduleId, version, number }
}

/** Somebody is seen at the machine, with a photo; of some visits two people have the same one. */
async function seedVisit(
  orgId: string,
  {
    index,
    person,
    training,
  }: { index: number; person: RecordedPerson; training: Awaited<ReturnType<typeof seedVersion>> },
): Promise<RecordBody> {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, index % 5 === 0 ? index + 1 - (index % 2) : index])
  const photo = await keepPhoto(env.MEDIA, { orgId, personId: person.id }, { bytes, type: 'image/jpeg' })
  return {
    kind: 'signed_off',
    person,
    knownBy: 'supervisor',
    training,
    deviceTime: null,
    wasOffline: false,
    supervisor: person,
    meaning: 'Seen.',
    steps: [{ id: 'a', note: '', photo }],
  }
}

/** People who were signed off in many versions of a training, each time with a photo. */
async function seedVisits(orgId: string): Promise<RecordBody[]> {
  const people = await seedPeople(
    orgId,
    Array.from({ length: PEOPLE }, (_, index) => ({ id: `p${index}`, name: `Person ${index}` })),
  )
  const trainings = []
  for (let number = 1; number <= VERSIONS; number++) trainings.push(await seedVersion(`m_${orgId}`, number))
  const bodies = []
  for (let index = 0; index < VISITS; index++) {
    const [person, training] = [people[index % PEOPLE], trainings[index % VERSIONS]]
    if (person !== undefined && training !== undefined) bodies.push(await seedVisit(orgId, { index, person, training }))
  }
  await appendRecords(context, orgId, { bodies })
  return bodies
}

/** Exports all parts, one after the other. @param between what happens after each of them */
async function exportAll(orgId: string, between: () => Promise<void>) {
  const parts: Awaited<ReturnType<typeof exportPart>>[] = []
  for (let request: ExportRequest | null = FIRST; request !== null; ) {
    const part = await exportPart(orgId, { request, limits: LIMITS })
    parts.push(part)
    await between()
    const next = (await readPart(part.files))?.next ?? null
    // As it stands in the address.
    request = next && ExportRequest.parse(Object.fromEntries(new URLSearchParams(Object.entries(next).map(asText))))
  }
  return parts
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)]

describe('an export that is too much for one call', () => {
  const org = 'org_export_parts'
  let exported: Awaited<ReturnType<typeof exportAll>> = []
  let parts: readonly Files[] = []

  beforeAll(async () => {
    const [first] = await seedVisits(org)
    await takeCheckpoint(context, org)
    // The list grows meanwhile, and a later checkpoint is taken.
    exported = await exportAll(org, async () => {
      if (first !== undefined) await appendRecords(context, org, { bodies: [first] })
      await takeCheckpoint({ ...context, nowMs: () => Date.now() + 86_400_000 }, org)
    })
    parts = exported.map(({ files }) => files)
  }, 60_000)

  it('comes in parts of few calls each, in which nothing is missing and no record or version is twice', async () => {
    for (const { calls } of exported) expect(calls).toBeLessThanOrEqual(LIMITS.calls + ABOUT_CALLS)
    const [names, lines] = [parts.flatMap((files) => [...files.keys()]), await listLines()]
    expect(names.filter((name) => name === 'records.jsonl').length).toBeGreaterThan(1)
    expect(names.filter((name) => name === 'people.json').length).toBeGreaterThan(0)
    expect(lines.map((line) => (JSON.parse(line) as { record: { seq: number } }).record.seq)).toEqual(
      Array.from({ length: VISITS }, (_, index) => index + 1),
    )
    const versions = names.filter((name) => name.startsWith('versions/'))
    expect([versions.length, new Set(versions).size]).toEqual([2 * VERSIONS, 2 * VERSIONS])
    expect(await verifyRecords(parts)).toMatchObject({ findings: [], records: VISITS, removedPhotos: 0 })
  })

  const listLines = async () => {
    const texts = await Promise.all(parts.map(async (files) => (await files.get('records.jsonl')?.text()) ?? ''))
    return texts.join('').trimEnd().split('\n')
  }

  it('fits in any order, and each part that is missing or there twice is named', async () => {
    expect(parts.length).toBeGreaterThan(3)
    expect((await verifyRecords(parts.toReversed())).findings).toEqual([])
    for (const [index, part] of parts.entries()) {
      const file = `training-records-${index + 1}.zip`
      const { findings } = await verifyRecords(parts.toSpliced(index, 1))
      expect(findings).toEqual([{ code: 'part_missing', file }])
      expect((await verifyRecords([...parts, part])).findings).toEqual([{ code: 'part_foreign', file }])
    }
  })

  it('is not mixed with a part of another one', async () => {
    const other = await exportPart(org, { limits: LIMITS })
    const [, ...rest] = parts
    const { findings } = await verifyRecords([other.files, ...rest])
    expect(findings).toEqual(
      rest.map((_, index) => ({ code: 'part_foreign', file: `training-records-${index + 2}.zip` })),
    )
  })

  it('finds a record, a version and a photo that were changed in any of the parts', async () => {
    const places = parts.flatMap((files, index) =>
      [...files.keys()]
        .filter((name) => /^(?:records\.jsonl|people\.json|versions|photos)/.test(name))
        .map((name) => ({ name, index })),
    )
    for (const { name, index } of places.filter((_, at) => at % 7 === 0)) {
      const files = new Map(parts[index])
      const text = (await files.get(name)?.bytes()) ?? new Uint8Array()
      text[text.length >> 1] = (text[text.length >> 1] ?? 0) ^ 1
      const { findings } = await verifyRecords(parts.with(index, files.set(name, new Blob([text]))))
      expect(findings).toContainEqual({ code: 'file_changed', file: name })
    }
  })
})

describe('what is removed or asked for between two parts', () => {
  /** Exports the first of several parts. @returns how the next one is asked for */
  async function beginExport(orgId: string): Promise<ExportRequest> {
    await seedRows(orgId, 3_000)
    const { files } = await exportPart(orgId, { limits: LIMITS })
    return ExportRequest.parse((await readPart(files))?.next)
  }

  const goOn = (orgId: string, request: ExportRequest) => exportPart(orgId, { request, limits: LIMITS })

  it('ends the export where somebody was erased, whose name is missing from then on', async () => {
    const org = 'org_export_erased'
    await seedPeople(org, [{ id: 'p1', name: 'Anna' }])
    const request = await beginExport(org)
    expect((await readPart((await goOn(org, request)).files))?.number).toBe(2)
    await erasePerson(context, org, { personId: 'p1', by: null })
    await expect(goOn(org, request)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('ends the export where its first records have served their time', async () => {
    const org = 'org_export_removed'
    const request = await beginExport(org)
    await env.DB.prepare("INSERT INTO glossaries (org_id, words, records_from, updated_at) VALUES (?, '', 6, 1)")
      .bind(org)
      .run()
    await expect(goOn(org, request)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leaves out no last records of a first part', async () => {
    const org = 'org_export_cut'
    await seedRows(org, 3)
    const { files } = await goOn(org, ExportRequest.parse({ end: '2' }))
    expect(JSON.parse((await files.get('checkpoints.json')?.text()) ?? '')).toMatchObject({ end: { seq: 3 } })
  })
})
