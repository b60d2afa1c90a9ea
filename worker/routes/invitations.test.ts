import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { AccountExport, ERASE_WORD, EraseAnswer } from '#contract/account.ts'
import { imageUrl } from '#contract/image-url.ts'
import { INVITATION_DAYS, INVITATIONS_MAX } from '#contract/limits.ts'
import { LiveTicketAnswer } from '#contract/live.ts'
import { Done, ModuleAnswer, ModuleListAnswer, OpenedListAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { StepsAnswer } from '#contract/step.ts'
import { DAY_MS } from '#contract/time/day.ts'
import { AcceptInvitationAnswer, InvitationsAnswer, NewInvitationAnswer } from '#contract/training/invitation.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { openDb } from '#worker/db/db.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { removeEnded } from '#worker/domain/module/invitation-store.ts'
import { acceptInvitation, inviteEditor } from '#worker/domain/module/invite-editor.ts'
import { updateModule } from '#worker/domain/module/module-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { seedHidden } from './testing/seed-hidden.ts'
import { bodyOf, makeTeam, seedTeam } from './testing/team.ts'

const someone = () => `user_${nanoid(8)}`
const ACCEPT = '/api/invitations/accept'
const context = openContext(env)
/** When an invitation of now has ended. */
const later = { ...context, nowMs: () => Date.now() + INVITATION_DAYS * DAY_MS }

/** A training that only its owner sees. */
async function seedPrivate() {
  const as = someone()
  const { id } = await seedHidden({ userId: as, orgId: null, runStatus: 'READY', durationMs: 60_000 })
  const steps = [{ title: 'Open the lid', start: 1, end: 9, notes: 'Left thread.' }]
  await answerOf(StepsAnswer, `/api/steps/${id}`, { as, json: { steps } })
  return { as, id, path: `/api/invitations/${id}` }
}

async function invite(path: string, owner: { as: string }, name = 'Kim Lee') {
  const { path: page, invitations } = await answerOf(NewInvitationAnswer, path, { ...owner, json: { name } })
  return { key: page.split('#')[1] ?? '', page, invitations }
}

const accept = (as: string, key: string, name = 'Kim') =>
  answerOf(AcceptInvitationAnswer, ACCEPT, { as, json: { key, name } })

/** A private training, and somebody who edits it. */
async function seedEdited() {
  const training = await seedPrivate()
  const { key } = await invite(training.path, training)
  const editor = someone()
  await accept(editor, key)
  return { ...training, editor }
}

const listOf = (path: string, as: string) => answerOf(InvitationsAnswer, path, { as })
const editedBy = async (as: string) =>
  (await answerOf(OpenedListAnswer, '/api/opened-modules', { as })).edited.map(({ id }) => id)

describe('an invitation', () => {
  it('is accepted once, by the first who has its link, and says by whom', { tags: 'threat-1' }, async () => {
    const { as, id, path } = await seedPrivate()
    const { key, page, invitations } = await invite(path, { as })
    expect(page).toMatch(/^\/invitation#[\w-]{43}$/)
    expect(invitations).toMatchObject([{ name: 'Kim Lee', accepted: null }])
    // Nothing that is stored opens anything.
    expect(JSON.stringify(await env.DB.prepare('SELECT * FROM invitations').all())).not.toContain(key)
    const editor = someone()
    expect(await accept(editor, key)).toMatchObject({ trainingUrl: `/training/${id}` })
    expect((await problemOf(ACCEPT, { as: someone(), json: { key, name: 'Eve' } })).code).toBe('not_found')
    // Whoever has accepted it comes back by the same link.
    expect(await accept(editor, key, 'Another name')).toMatchObject({ trainingUrl: `/training/${id}` })
    expect((await listOf(path, as)).invitations).toMatchObject([{ name: 'Kim Lee', accepted: { name: 'Kim' } }])
  })

  it('goes to one of two who accept it at the same moment', async () => {
    const { as, path } = await seedPrivate()
    const { key } = await invite(path, { as })
    const people = [someone(), someone()]
    const answers = await Promise.all(people.map((each) => call(ACCEPT, { as: each, json: { key, name: 'Kim' } })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  })

  it('is not used up by an owner, and ends after its days', async () => {
    const { as, id, path } = await seedPrivate()
    const { key } = await invite(path, { as })
    expect(await accept(as, key)).toMatchObject({ trainingUrl: `/training/${id}` })
    expect((await listOf(path, as)).invitations).toMatchObject([{ accepted: null }])
    const caller = { userId: someone(), orgId: null, orgRole: null, orgPermissions: [] }
    await expect(acceptInvitation(later, { key, name: 'Kim', caller })).rejects.toMatchObject({ code: 'not_found' })
    expect(await acceptInvitation(context, { key, name: 'Kim', caller })).toBe(id)
  })

  it('gives an account one right, however often it is invited, which removing it ends', async () => {
    const { as, id, path, editor } = await seedEdited()
    const again = await invite(path, { as }, 'Kim again')
    await accept(editor, again.key)
    const { invitations } = await listOf(path, as)
    expect(invitations.map(({ accepted }) => accepted !== null)).toEqual([false, true])
    await answerOf(InvitationsAnswer, `${path}/${invitations[1]?.id}`, { as, method: 'DELETE' })
    expect((await problemOf(`/api/modules/${id}`, { as: editor })).code).toBe('not_found')
    expect(await editedBy(editor)).toEqual([])
  })

  it('is one of few', { tags: 'attack-50' }, async () => {
    const { as, id, path } = await seedPrivate()
    for (let count = 0; count < INVITATIONS_MAX; count++) await inviteEditor(context, id, `Person ${count}`)
    expect((await problemOf(path, { as, json: { name: 'One more' } })).code).toBe('invalid_request')
    // Those that have ended count no more, those that were accepted always do.
    expect(await inviteEditor(later, id, 'One more')).toContain('#')
    const sql = "UPDATE invitations SET user_id = id, user_name = 'Kim', accepted_at = 1 WHERE module_id = ?"
    await env.DB.prepare(sql).bind(id).run()
    await expect(inviteEditor(later, id, 'Too many')).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('is forgotten once it has ended, with the name in it, unless it was accepted', async () => {
    const { as, path } = await seedEdited()
    await invite(path, { as }, 'Ana Cruz')
    const namesAfter = async (beforeMs: number) => {
      await removeEnded(env.DB, beforeMs)
      return (await listOf(path, as)).invitations.map(({ name }) => name).toSorted()
    }
    expect(await namesAfter(Date.now())).toEqual(['Ana Cruz', 'Kim Lee'])
    expect(await namesAfter(later.nowMs() + 1)).toEqual(['Kim Lee'])
  })
})

describe('who was invited', () => {
  it('sees that training alone, as its draft, and edits its steps', async () => {
    const { as, id, editor } = await seedEdited()
    await seedHidden({ userId: as, orgId: null })
    expect(await editedBy(editor)).toEqual([id])
    expect((await answerOf(ModuleListAnswer, '/api/modules', { as: editor })).modules).toEqual([])
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: editor })
    const hidden = { userId: null, organization: null, mayDelete: false, linkEndsAt: null }
    expect(module).toMatchObject({ role: 'editor', ...hidden, steps: [{ notes: 'Left thread.' }] })
    const { steps } = await answerOf(StepsAnswer, `/api/steps/${id}`, { as: editor })
    const changed = steps.map((step) => ({ ...step, title: 'Open the hood' }))
    await answerOf(StepsAnswer, `/api/steps/${id}`, { as: editor, json: { steps: changed } })
    expect((await answerOf(StepsAnswer, `/api/steps/${id}`, { as })).steps).toMatchObject([
      { title: 'Open the hood', notes: 'Left thread.' },
    ])
  })

  it('opens its video, images and socket until the invitation is removed', { tags: 'attack-34' }, async () => {
    const { as, id, path, editor } = await seedEdited()
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/module/${id}`, { as: editor })
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, { as: editor })
    const live = await answerOf(LiveTicketAnswer, `/api/modules/${id}/live-ticket`, { as: editor, method: 'POST' })
    const poster = imageUrl(module.posterUrl ?? '', 'poster')
    const open = async () => {
      const socket = await call(`/api/modules/${id}/live?ticket=${live.ticket}`, { headers: { upgrade: 'websocket' } })
      socket.webSocket?.accept()
      socket.webSocket?.close()
      return [(await call(url)).status, (await call(poster)).status, socket.status]
    }
    expect(await open()).toEqual([200, 200, 101])
    const [invitation] = (await listOf(path, as)).invitations
    await answerOf(InvitationsAnswer, `${path}/${invitation?.id}`, { as, method: 'DELETE' })
    expect(await open()).toEqual([404, 404, 404])
  })

  it('is shown the video of the draft until the invitation is removed, then that of learners', {
    tags: 'attack-34',
  }, async () => {
    const { as, id, path, editor } = await seedEdited()
    const sourceKey = `src/${id}/learners`
    const object = await env.MEDIA.put(sourceKey, 'of learners')
    const learnerSource = {
      sourceKey,
      sourceEtag: object?.etag ?? null,
      sourceSizeBytes: 11,
      sourceType: 'video/mp4',
      earlyIndex: null,
      smallCopy: null,
      durationMs: 60_000,
      cuts: [],
      audioTracks: null,
    }
    // Open to everybody by its id, so that the ticket opens something in any case.
    await updateModule(openDb(env.DB), id, { shared: true, learnerSource })
    const { url } = await answerOf(VideoUrlAnswer, `/api/video-url/module/${id}`, { as: editor })
    const play = async () => (await call(url)).text()
    expect(await play()).toBe('a video')
    const [invitation] = (await listOf(path, as)).invitations
    await answerOf(InvitationsAnswer, `${path}/${invitation?.id}`, { as, method: 'DELETE' })
    expect(await play()).toBe('of learners')
  })

  it('reads versions and asks for a release, but publishes none, whatever the rule', { tags: 'threat-1' }, async () => {
    const { id, uploader } = await seedTeam('anyone')
    const { key } = await invite(`/api/invitations/${id}`, uploader)
    const editor = someone()
    await accept(editor, key)
    await answerOf(StepsAnswer, `/api/steps/${id}`, {
      as: editor,
      json: { steps: [{ title: 'Open', start: 1, end: 9 }] },
    })
    const { hash } = await answerOf(VersionAnswer, `/api/versions/${id}/draft`, { as: editor })
    const { json } = await bodyOf(id, uploader)
    expect((await problemOf(`/api/versions/${id}`, { as: editor, json })).code).toBe('not_found')
    const request = { draft: hash, note: '', retraining: 'none', name: 'Kim' }
    const asked = await answerOf(VersionsAnswer, `/api/versions/${id}/review`, { as: editor, json: request })
    expect(asked).toMatchObject({ mayPublish: false, review: { isMine: true } })
  })

  it('sends images of steps, but no poster', async () => {
    const { id, editor } = await seedEdited()
    const webp = new Uint8Array([...new TextEncoder().encode('RIFF....WEBP'), 1, 2])
    const send = (name: string) => call(`/api/modules/${id}/images/${name}`, { as: editor, method: 'PUT', body: webp })
    expect((await send('step-1000')).status).toBe(200)
    expect((await send('poster')).status).toBe(404)
  })

  it('can give it up', async () => {
    const { id, editor } = await seedEdited()
    await answerOf(Done, `/api/opened-modules/${id}`, { as: editor, method: 'DELETE' })
    expect(await editedBy(editor)).toEqual([])
    expect((await problemOf(`/api/steps/${id}`, { as: editor })).code).toBe('not_found')
  })

  it('is named in the own export, and forgotten with the account', async () => {
    const { as, id, path, editor } = await seedEdited()
    const exported = AccountExport.parse(await (await call('/api/account/export', { as: editor })).json())
    expect(exported.editedModules).toMatchObject([{ moduleId: id, name: 'Kim' }])
    const erased = { as: editor, method: 'DELETE', json: { confirm: ERASE_WORD } }
    await answerOf(EraseAnswer, '/api/account', erased)
    expect((await listOf(path, as)).invitations).toEqual([])
  })

  it('loses the training when that is erased with the account of its owner', async () => {
    const { as, id, editor } = await seedEdited()
    await answerOf(EraseAnswer, '/api/account', { as, method: 'DELETE', json: { confirm: ERASE_WORD } })
    expect(await editedBy(editor)).toEqual([])
    await eraseModule(context, { id, sourceKey: `src/${id}/source`, uploadId: null })
    const left = env.DB.prepare('SELECT 1 FROM invitations WHERE module_id = ?').bind(id)
    expect((await left.all()).results).toEqual([])
  })
})

it('another organization of an invited person does not matter', async () => {
  const { id, editor } = await seedEdited()
  const { member } = makeTeam()
  const { module } = await answerOf(ModuleAnswer, `/api/modules/${id}`, { ...member, as: editor })
  expect(module.role).toBe('editor')
})
