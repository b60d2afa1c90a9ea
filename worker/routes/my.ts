import { type Context, Hono } from 'hono'
import {
  ConfirmTraining,
  EnterCode,
  OpenAccount,
  type OpenAccountAnswer,
  OpenLink,
  type OpenLinkAnswer,
  type OwnTrainingsAnswer,
  OwnTrainingsRequest,
} from '#contract/team/my-trainings.ts'
import { AppError } from '#worker/core/errors.ts'
import { confirmationWords } from '#worker/domain/assignment/confirmation-words.ts'
import { noteConfirmed } from '#worker/domain/assignment/note-act.ts'
import { readOwnTrainings } from '#worker/domain/assignment/read-own.ts'
import { findAssigned, type PersonToken, readPersonToken, signPerson } from '#worker/domain/module/assigned-access.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findTokenPerson, type PersonRow } from '#worker/domain/person/person-store.ts'
import { enterCode, openGroupLink, openPersonLink } from '#worker/domain/person/personal-link.ts'
import { ensureAccountPerson } from '#worker/domain/person/write-people.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { dropMemberCookie, dropPersonCookies, setPersonCookie } from '#worker/http/link-cookie.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import { answerDone, readJson, readQuery, requireUser } from '#worker/http/request.ts'
import { askedStepRoutes } from './asked-steps.ts'

async function becomePerson(
  c: Context<AppEnv>,
  { orgId, id: personId }: PersonRow,
  known: Pick<Parameters<typeof signPerson>[1], 'knownBy' | 'userId' | 'groupId'>,
): Promise<void> {
  setPersonCookie(c, await signPerson(c.var.context, { orgId, personId, ...known }), known.knownBy)
}

interface PersonHere {
  token: PersonToken
  person: PersonRow
}

/** Whose device this is; null where it is nobody's any more. */
async function findPersonHere(c: Context<AppEnv>): Promise<PersonHere | null> {
  const token = await readPersonToken(c.var.context)
  const person = token === null ? null : await findTokenPerson(c.var.context.db, token)
  return token === null || person === null ? null : { token, person }
}

/** @throws {AppError} unauthenticated where the device is nobody's any more */
async function getPersonHere(c: Context<AppEnv>): Promise<PersonHere> {
  const here = await findPersonHere(c)
  if (here !== null) return here
  throw new AppError('unauthenticated', 'Open your personal link again, or enter your code.')
}

/** The own page of a person, signed in or not: a cookie that no script reads says who it is. */
export const myRoutes = new Hono<AppEnv>()
  .route('/', askedStepRoutes)
  .get('/', async (c) => {
    const { lang } = readQuery(c, OwnTrainingsRequest)
    const { token, person } = await getPersonHere(c)
    const trainings = await readOwnTrainings(c.var.context, token)
    return c.json({
      success: true,
      personId: person.id,
      name: person.name,
      isShared: token.knownBy === 'code',
      trainings,
      confirmation: confirmationWords(lang),
    } satisfies OwnTrainingsAnswer)
  })
  .post('/open', async (c) => {
    const { key, replaces = false } = await readJson(c, OpenLink)
    const here = await findPersonHere(c)
    if (key.startsWith('g-')) {
      const { name } = await openGroupLink(c.var.context, key)
      // A shared device is that of whoever has entered a code, and of nobody who opened a link or signed in there.
      if (here?.token.knownBy !== 'code') dropPersonCookies(c)
      return c.json({ success: true, kind: 'group', name } satisfies OpenLinkAnswer)
    }
    const person = await openPersonLink(c.var.context, key)
    const { name } = person
    if (here !== null && here.person.id !== person.id && !replaces)
      return c.json({ success: true, kind: 'other', name, holder: here.person.name } satisfies OpenLinkAnswer)
    await becomePerson(c, person, { knownBy: 'personal_link' })
    return c.json({ success: true, kind: 'person', name, personId: person.id } satisfies OpenLinkAnswer)
  })
  .post('/code', async (c) => {
    const entered = await readJson(c, EnterCode)
    const address = c.req.header('cf-connecting-ip')
    const from = { network: networkOf(address), site: siteOf(address) }
    const { person, groupId } = await enterCode(c.var.context, { ...entered, ...from })
    await becomePerson(c, person, { knownBy: 'code', groupId })
    return answerDone(c)
  })
  .post('/account', requireUser, async (c) => {
    // Whatever comes of it, the person of another organization or account is over.
    dropMemberCookie(c)
    const { name } = await readJson(c, OpenAccount)
    const { userId, orgId } = c.var.caller
    if (orgId === null) return c.json({ success: true, isOpen: false } satisfies OpenAccountAnswer)
    const person = await ensureAccountPerson(c.var.context, orgId, { userId, name })
    if (!person.isActive) return c.json({ success: true, isOpen: false } satisfies OpenAccountAnswer)
    await becomePerson(c, person, { knownBy: 'signed_in', userId })
    return c.json({ success: true, isOpen: true } satisfies OpenAccountAnswer)
  })
  .delete('/account', (c) => {
    dropMemberCookie(c)
    return answerDone(c)
  })
  .post('/leave', (c) => {
    dropPersonCookies(c)
    return answerDone(c)
  })
  .post('/trainings/:linkId/confirm', async (c) => {
    const { personId, offlineAtMs, ...confirmed } = await readJson(c, ConfirmTraining)
    const { token } = await getPersonHere(c)
    // The device may be somebody else's since the page was opened.
    if (personId !== token.personId)
      throw new AppError('version_conflict', 'This page is of another person. Open it again.')
    const assigned = await findAssigned(c.var.context.db, token, c.req.param('linkId'))
    if (assigned === null) throw moduleNotFound()
    const wasOffline = offlineAtMs !== undefined
    const act = { ...assigned, person: token, knownBy: token.knownBy, wasOffline, deviceTimeMs: offlineAtMs }
    await noteConfirmed(c.var.context, act, confirmed)
    return answerDone(c)
  })
