import { type Context, Hono } from 'hono'
import { nanoid } from 'nanoid'
import {
  type CodeAnswer,
  GroupEdit,
  type GroupsAnswer,
  type ImportAnswer,
  ImportRequest,
  JoinRequest,
  NewPerson,
  type PeopleAnswer,
  PeopleRequest,
  type PersonAnswer,
  PersonPatch,
  type SecretLinkAnswer,
} from '#contract/team/people.ts'
import { settlePeople } from '#worker/domain/assignment/settle-assignments.ts'
import { ensureGroups, listGroups, removeGroup, renameGroup } from '#worker/domain/person/group-store.ts'
import { importPeople, previewImport } from '#worker/domain/person/import-people.ts'
import { listPeople, readPerson } from '#worker/domain/person/person-store.ts'
import {
  issueCode,
  issueGroupLink,
  issuePersonLink,
  revokeAccess,
  revokeGroupLink,
} from '#worker/domain/person/personal-link.ts'
import { requireManaged } from '#worker/domain/person/require-team.ts'
import { addPerson, changePerson, joinPeople } from '#worker/domain/person/write-people.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson, readQuery, requireUser } from '#worker/http/request.ts'

/** Assigns and takes back what follows from groups that have changed. What is left the sweep settles. */
function settle(c: Context<AppEnv>, personIds: readonly string[]): Promise<number> {
  return settlePeople(c.var.context, requireManaged(c.var.caller), personIds)
}

async function answerPerson(c: Context<AppEnv>, id: string): Promise<Response> {
  const person = await readPerson(c.var.context.db, requireManaged(c.var.caller), id)
  return c.json({ success: true, person } satisfies PersonAnswer)
}

/** People of the active organization, for those who manage it. */
export const peopleRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const request = readQuery(c, PeopleRequest)
    const page = await listPeople(c.var.context.db, requireManaged(c.var.caller), request)
    return c.json({ success: true, ...page } satisfies PeopleAnswer)
  })
  .post('/', async (c) => {
    const person = await readJson(c, NewPerson)
    const id = await addPerson(c.var.context, requireManaged(c.var.caller), person)
    await settle(c, [id])
    return answerPerson(c, id)
  })
  .post('/import', async (c) => {
    const { rows, isPreview = false } = await readJson(c, ImportRequest)
    const takeOver = isPreview ? previewImport : importPeople
    const imported = await takeOver(c.var.context, requireManaged(c.var.caller), rows)
    return c.json({ success: true, ...imported } satisfies ImportAnswer)
  })
  .patch('/:personId', async (c) => {
    const patch = await readJson(c, PersonPatch)
    const id = c.req.param('personId')
    await changePerson(c.var.context, requireManaged(c.var.caller), { ...patch, id })
    await settle(c, [id])
    return answerPerson(c, id)
  })
  .post('/:personId/join', async (c) => {
    const { into } = await readJson(c, JoinRequest)
    const id = c.req.param('personId')
    await joinPeople(c.var.context, requireManaged(c.var.caller), { id, into })
    await settle(c, [id, into])
    return answerPerson(c, into)
  })
  .post('/:personId/link', async (c) => {
    const path = await issuePersonLink(c.var.context, requireManaged(c.var.caller), c.req.param('personId'))
    return c.json({ success: true, path } satisfies SecretLinkAnswer)
  })
  .delete('/:personId/link', async (c) => {
    const id = c.req.param('personId')
    await revokeAccess(c.var.context, requireManaged(c.var.caller), id)
    return answerPerson(c, id)
  })
  .post('/:personId/code', async (c) => {
    const code = await issueCode(c.var.context, requireManaged(c.var.caller), c.req.param('personId'))
    return c.json({ success: true, code } satisfies CodeAnswer)
  })

async function answerGroups(c: Context<AppEnv>): Promise<Response> {
  const groups = await listGroups(c.var.context.d1, requireManaged(c.var.caller))
  return c.json({ success: true, groups } satisfies GroupsAnswer)
}

/** Groups of these people. */
export const groupRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', answerGroups)
  .post('/', async (c) => {
    const { name } = await readJson(c, GroupEdit)
    const orgId = requireManaged(c.var.caller)
    await ensureGroups(c.var.context.d1, orgId, { names: [name], makeId: nanoid, nowMs: c.var.context.nowMs() })
    return answerGroups(c)
  })
  .patch('/:groupId', async (c) => {
    const { name } = await readJson(c, GroupEdit)
    await renameGroup(c.var.context.db, requireManaged(c.var.caller), { id: c.req.param('groupId'), name })
    return answerGroups(c)
  })
  .delete('/:groupId', async (c) => {
    const people = await removeGroup(c.var.context, requireManaged(c.var.caller), c.req.param('groupId'))
    await settle(c, people)
    return answerGroups(c)
  })
  .post('/:groupId/link', async (c) => {
    const path = await issueGroupLink(c.var.context, requireManaged(c.var.caller), c.req.param('groupId'))
    return c.json({ success: true, path } satisfies SecretLinkAnswer)
  })
  .delete('/:groupId/link', async (c) => {
    await revokeGroupLink(c.var.context, requireManaged(c.var.caller), c.req.param('groupId'))
    return answerGroups(c)
  })
