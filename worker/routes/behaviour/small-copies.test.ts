// Behaviour: the small copy of a video: sending, serving, replacing and erasing it.
import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Done, ModuleAnswer, UNPUBLISHED, VideoUrlAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { sharedVideoPath, smallVideoPath } from '#contract/share-page.ts'
import { SmallCopiesAnswer, SmallCopyUrlAnswer } from '#contract/small-copy.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { MP4_BEGINNING } from '#media/testing/mp4-beginning.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { lacksSmallCopy } from '#worker/domain/module/small-copy.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { type Person, seedTeam } from '#worker/routes/testing/team.ts'

const AS = 'user_owner'
const CODEC = 'avc1.64001f'
/** Twelve megabytes in a minute. */
const LARGE = { status: 'READY', sourceSizeBytes: 12_000_000, durationMs: 60_000 } as const

const bytesOf = (mark: number) => Uint8Array.from([...MP4_BEGINNING, mark])

function pathOf(id: string): string {
  return `/api/modules/${id}/small-copy`
}

function sign(id: string, sizeBytes: number, as = AS): Promise<SmallCopyUrlAnswer> {
  return answerOf(SmallCopyUrlAnswer, pathOf(id), { as, json: { sizeBytes } })
}

async function send(id: string, bytes: Uint8Array): Promise<string> {
  const { key } = await sign(id, bytes.byteLength)
  await env.MEDIA.put(key, bytes)
  await answerOf(Done, pathOf(id), { as: AS, method: 'PUT', json: { key, codec: CODEC } })
  return key
}

async function keysOf(id: string): Promise<string[]> {
  return (await env.MEDIA.list({ prefix: `small/${id}/` })).objects.map(({ key }) => key)
}

async function lackingOf(as: string): Promise<string[]> {
  return (await answerOf(SmallCopiesAnswer, '/api/modules/small-copies', { as })).modules.map(({ id }) => id)
}

async function moduleOf(id: string, as = AS) {
  return (await answerOf(ModuleAnswer, `/api/modules/${id}`, { as })).module
}

describe('the small copy of a video', () => {
  it('is served with ranges to people with the link and to those who are signed in, beside the original', async () => {
    const { id } = await seedModule(LARGE)
    const before = await answerOf(ShareAnswer, `/api/share/${id}`)
    expect(before.module.smallCopy).toBeNull()
    expect((await problemOf(smallVideoPath(sharedVideoPath(id)))).code).toBe('not_found')
    const bytes = bytesOf(1)
    const url = new URL((await sign(id, bytes.byteLength)).url)
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
    await send(id, bytes)

    const expected = { sizeBytes: bytes.byteLength, codec: CODEC }
    expect((await moduleOf(id, 'user_viewer')).smallCopy).toEqual(expected)
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.smallCopy).toEqual(expected)
    const ticketed = await answerOf(VideoUrlAnswer, `/api/video-url/module/${id}`, { as: 'user_viewer' })
    for (const path of [sharedVideoPath(id), ticketed.url].map(smallVideoPath)) {
      const whole = await call(path)
      expect(whole.headers.get('content-type')).toBe('video/mp4')
      expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
      const part = await call(path, { headers: { range: 'bytes=4-7' } })
      expect(part.status).toBe(206)
      expect(await part.text()).toBe('ftyp')
    }
  })

  it('is not served once its link is off', { tags: 'threat-18' }, async () => {
    const { id } = await seedModule(LARGE)
    await send(id, bytesOf(1))
    await answerOf(Done, `/api/modules/${id}`, { as: AS, method: 'PATCH', json: { shared: false } })
    expect((await problemOf(smallVideoPath(sharedVideoPath(id)))).code).toBe('not_found')
  })

  it('takes the place of the one before, and of those that were sent and never reported', async () => {
    const { id } = await seedModule(LARGE)
    await send(id, bytesOf(1))
    const { key: lost } = await sign(id, 100)
    await env.MEDIA.put(lost, 'never reported')
    const key = await send(id, bytesOf(2))
    expect(await keysOf(id)).toEqual([key])
    const served = await call(smallVideoPath(sharedVideoPath(id)))
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytesOf(2))
  })

  it('is sent and replaced by publishers alone where an organization has rules', async () => {
    const { id, member, approver } = await seedTeam('approvers', LARGE)
    const json = { sizeBytes: bytesOf(1).byteLength }
    const lackingOf = async (person: Person) =>
      (await answerOf(SmallCopiesAnswer, '/api/modules/small-copies', person)).modules.map((module) => module.id)
    expect([await lackingOf(member), await lackingOf(approver)]).toEqual([[], [id]])
    const nameAs = (person: Person, key: string, codec = CODEC) =>
      call(pathOf(id), { ...person, method: 'PUT', json: { key, codec } }).then(({ status }) => status)
    const signAs = async (person: Person) => answerOf(SmallCopyUrlAnswer, pathOf(id), { ...person, json })
    for (const mark of [1, 2]) {
      expect((await problemOf(pathOf(id), { ...member, json })).code).toBe('approval_needed')
      const { key } = await signAs(approver)
      await env.MEDIA.put(key, bytesOf(mark))
      expect(await nameAs(member, key)).toBe(403)
      expect(await nameAs(approver, key)).toBe(200)
      // Repeated, it is still there.
      expect(await nameAs(member, key)).toBe(200)
      expect(await nameAs(member, key, 'avc1.640028')).toBe(403)
      expect(await keysOf(id)).toEqual([key])
    }
    const served = await call(smallVideoPath(sharedVideoPath(id)))
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(bytesOf(2))
    const [key = ''] = await keysOf(id)
    await env.MEDIA.put(key, bytesOf(3))
    expect(await nameAs(member, key)).toBe(403)
  })

  it('is not planted before the first release by somebody who may not publish', async () => {
    const { member, uploader } = await seedTeam('approvers')
    const { as: userId, orgId } = uploader
    const { id } = await seedModule({ ...LARGE, userId, orgId, publishedVersion: UNPUBLISHED })
    const json = { sizeBytes: bytesOf(1).byteLength }
    for (const person of [member, uploader])
      expect((await problemOf(pathOf(id), { ...person, json })).code).toBe('approval_needed')
  })

  it('is offered while it has all that is shown, and is to be made again once it has not', async () => {
    const { id } = await seedModule({ ...LARGE, cuts: [[10, 20]] })
    const { key } = await sign(id, 100)
    await env.MEDIA.put(key, bytesOf(1))
    const json = { key, codec: CODEC, cuts: [[10, 20]] }
    await answerOf(Done, pathOf(id), { as: AS, method: 'PUT', json })
    expect(await moduleOf(id)).toMatchObject({
      smallCopyLacksS: 10,
      lacksSmallCopy: false,
      smallCopy: { codec: CODEC },
    })
    expect((await moduleOf(id, 'user_viewer')).smallCopyLacksS).toBe(0)
    const cut = (cuts: unknown) =>
      call(`/api/steps/${id}/cuts`, { as: AS, method: 'PUT', json: { cuts } }).then(({ status }) => status)
    expect(await cut([[5, 25]])).toBe(200)
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.smallCopy).not.toBeNull()
    expect(await cut([[15, 25]])).toBe(200)
    expect(await moduleOf(id)).toMatchObject({ smallCopy: null, lacksSmallCopy: true })
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.smallCopy).toBeNull()
    await send(id, bytesOf(2))
    expect(await moduleOf(id)).toMatchObject({ smallCopyLacksS: 0, lacksSmallCopy: false, smallCopy: { codec: CODEC } })
  })

  it('has what learners of a version see, also where the draft leaves it out', async () => {
    const { id } = await seedModule({ ...LARGE, runStatus: 'READY', cuts: [[10, 20]] })
    await send(id, bytesOf(1))
    await answerOf(VersionsAnswer, `/api/versions/${id}`, { as: AS, method: 'PUT', json: { isOn: true } })
    const cuts = [
      [5, 15],
      [30, 40],
    ]
    expect((await call(`/api/steps/${id}/cuts`, { as: AS, method: 'PUT', json: { cuts } })).status).toBe(200)
    expect((await moduleOf(id)).smallCopyMayLack).toEqual([[10, 15]])
    expect((await moduleOf(id, 'user_viewer')).smallCopyMayLack).toBeNull()
    const { key } = await sign(id, 100)
    await env.MEDIA.put(key, bytesOf(2))
    const name = (lacked: unknown) =>
      call(pathOf(id), { as: AS, method: 'PUT', json: { key, codec: CODEC, cuts: lacked } })
    expect((await name(cuts)).status).toBe(400)
    expect((await name([[10, 15]])).status).toBe(200)
    expect((await answerOf(ShareAnswer, `/api/share/${id}`)).module.smallCopy).not.toBeNull()
  })

  it('goes with its module, when that is erased', async () => {
    const module = await seedModule(LARGE)
    await send(module.id, bytesOf(1))
    const { deps } = openDriver()
    expect(await eraseModule(deps, { uploadId: null, ...module })).toBe(true)
    expect(await keysOf(module.id)).toEqual([])
  })

  it.each([
    ['saves too little', { sizeBytes: 7_300_000 }, 'payload_too_large'],
    ['is empty', { sizeBytes: 0 }, 'invalid_request'],
  ])('is given no address when it %s', async (_what, json, code) => {
    const { id } = await seedModule(LARGE)
    expect((await problemOf(pathOf(id), { as: AS, json })).code).toBe(code)
  })

  it('is taken only as an MP4 that has arrived at an address of its module', { tags: 'threat-11' }, async () => {
    const { id } = await seedModule(LARGE)
    const other = await seedModule({ ...LARGE, userId: 'user_other' })
    const { key } = await sign(id, 100)
    const refusal = async (json: unknown) => (await problemOf(pathOf(id), { as: AS, method: 'PUT', json })).code
    expect(await refusal({ key, codec: CODEC })).toBe('upload_missing')
    await env.MEDIA.put(key, '<!doctype html>')
    expect(await refusal({ key, codec: CODEC })).toBe('not_a_video')
    expect(await refusal({ key, codec: 'text/html' })).toBe('invalid_request')
    expect(await refusal({ key: other.sourceKey, codec: CODEC })).toBe('not_found')
    expect((await moduleOf(id)).smallCopy).toBeNull()
  })

  it('counts among the bytes of its owner', { tags: 'attack-5' }, async () => {
    const vars = env as { USER_UPLOAD_BYTES_PER_DAY: string }
    vars.USER_UPLOAD_BYTES_PER_DAY = '1500'
    onTestFinished(() => void (vars.USER_UPLOAD_BYTES_PER_DAY = ''))
    const { id } = await seedModule({ ...LARGE, userId: 'user_small_bytes' })
    await sign(id, 1_000, 'user_small_bytes')
    const problem = await problemOf(pathOf(id), { as: 'user_small_bytes', json: { sizeBytes: 1_000 } })
    expect(problem.code).toBe('quota_reached')
  })
})

describe('GET /api/modules/small-copies', () => {
  it('lists own ready trainings that a small copy would save much of, until they have one, or are found to need none', async () => {
    const userId = 'user_small_list'
    const seed = (fields: Parameters<typeof seedModule>[0]) => seedModule({ ...LARGE, userId, ...fields })
    const made = [
      await seed({ createdAt: 1 }),
      await seed({ createdAt: 2 }),
      await seed({ createdAt: 3, status: 'PROCESSING' }),
      await seed({ createdAt: 4, sourceSizeBytes: 9_999_999 }),
      await seed({ createdAt: 5, durationMs: 192_001 }),
      await seed({ createdAt: 6, durationMs: 192_000 }),
      await seed({ createdAt: 7, sourceEtag: null, sourceSizeBytes: null }),
      await seed({ createdAt: 8, userId: 'user_other' }),
    ]
    const [first, second, , , , sixth] = made.map(({ id }) => id)
    expect(await lackingOf(userId)).toEqual([sixth, second, first])
    const { results } = await env.DB.prepare(
      'SELECT id, status, small_copy, source_size_bytes, duration_ms FROM modules WHERE user_id = ? ORDER BY created_at DESC',
    )
      .bind(userId)
      .all<{ id: string; status: 'READY'; source_size_bytes: number | null; duration_ms: number }>()
    const lacking = results.filter(({ status, source_size_bytes, duration_ms }) =>
      lacksSmallCopy({
        status,
        smallCopy: null,
        cuts: [],
        sourceSizeBytes: source_size_bytes,
        durationMs: duration_ms,
      }),
    )
    expect(lacking.map(({ id }) => id)).toEqual([sixth, second, first])

    const none = { as: userId, method: 'PUT', json: { savesTooLittle: true } }
    await answerOf(Done, pathOf(first ?? ''), none)
    expect(await lackingOf(userId)).toEqual([sixth, second])
    expect(await moduleOf(first ?? '', userId)).toMatchObject({ smallCopy: null, lacksSmallCopy: false })
    expect(await moduleOf(second ?? '', userId)).toMatchObject({ smallCopy: null, lacksSmallCopy: true })
    expect(await moduleOf(second ?? '', 'user_viewer')).toMatchObject({ lacksSmallCopy: false })
  })
})
