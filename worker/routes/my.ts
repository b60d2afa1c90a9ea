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
import { dropPersonCookies, setPersonCookie } from '#worker/http/link-cookie.ts'
import { networkOf } from '#worker/http/network-of.ts'
import { answerDone, readJson, readQuery, requireUser } from '#worker/http/request.ts'
import { askedStepRoutes } from './asked-steps.ts'

async function becomePerson(
  c: Context<AppEnv>,
  { orgId, id: personId }: PersonRow,
  knownBy: Parameters<typeof setPersonCookie>[2],
): Promise<void> {
  setPersonCookie(c, await signPerson(c.var.context, { orgId, personId, knownBy }), knownBy)
}

/** Whose device this is. @throws {AppError} unauthenticated where it is nobody's any more */
async function getPersonHere(c: Context<AppEnv>): Promise<{ token: PersonToken; person: PersonRow }> {
  const token = await readPersonToken(c.var.context)
  const person = token === null ? null : await findTokenPerson(c.var.context.db, token)
  if (token !== null && person !== null) return { token, person }
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
    const { key } = await readJson(c, OpenLink)
    if (key.startsWith('g-')) {
      const { name } = await openGroupLink(c.var.context, key)
      return c.json({ success: true, kind: 'group', name } satisfies OpenLinkAnswer)
    }
    const person = await openPersonLink(c.var.context, key)
    await becomePerson(c, person, 'personal_link')
    return c.json({ success: true, kind: 'person', name: person.name } satisfies OpenLinkAnswer)
  })
  .post('/code', async (c) => {
    const entered = await readJson(c, EnterCode)
    const network = networkOf(c.req.header('cf-connecting-ip'))
    await becomePerson(c, await enterCode(c.var.context, { ...entered, network }), 'code')
    return answerDone(c)
  })
  .post('/account', requireUser, async (c) => {
    const { name } = await readJson(c, OpenAccount)
    const { userId, orgId } = c.var.caller
    if (orgId === null) return c.json({ success: true, isOpen: false } satisfies OpenAccountAnswer)
    const person = await ensureAccountPerson(c.var.context, orgId, { userId, name })
    if (!person.isActive) return c.json({ success: true, isOpen: false } satisfies OpenAccountAnswer)
    await becomePerson(c, person, 'signed_in')
    return c.json({ success: true, isOpen: true } satisfies OpenAccountAnswer)
  })
  .post('/leave', (c) => {
    dropPersonCookies(c)
    return answerDone(c)
  })
  .post('/trainings/:linkId/confirm', async (c) => {
    const { personId, ...confirmed } = await readJson(c, ConfirmTraining)
    const { token } = await getPersonHere(c)
    // The device may be somebody else's since the page was opened.
    if (personId !== token.personId)
      throw new AppError('version_conflict', 'This page is of another person. Open it again.')
    const assigned = await findAssigned(c.var.context.db, token, c.req.param('linkId'))
    if (assigned === null) throw moduleNotFound()
    const act = { ...assigned, person: token, knownBy: token.knownBy, wasOffline: false }
    await noteConfirmed(c.var.context, act, confirmed)
    return answerDone(c)
  })
