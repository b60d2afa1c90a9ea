import { Hono } from 'hono'
import { answer, ensureClientId, setSignedInSince } from '../client.ts'
import type { StandInContext, StandInEnv } from '../context.ts'
import { fieldError } from '../fapi-error.ts'
import { readForm, requireEmail, requireNewPassword } from '../form.ts'
import { missingFields, signUpJson } from '../json/attempt-resources.ts'
import { hashPassword } from '../passwords.ts'
import { protectCheckOf, requireProof } from '../protect.ts'
import { refuseSecondSession } from '../signed-in.ts'
import { getAttempt, startAttempt, updateAttempt } from '../store/attempt-store.ts'
import { openSession } from '../store/session-store.ts'
import { createUser, findUserByEmail } from '../store/user-store.ts'
import type { Attempt } from '../tables.ts'

export const signUpRoutes = new Hono<StandInEnv>()
  .post('/', async (c) => {
    await refuseSecondSession(c)
    const details = await readDetails(c)
    const attempt = await startAttempt(c.var.db, { kind: 'sign_up', clientId: ensureClientId(c), details })
    return answerAttempt(c, await completeWhenPossible(c, attempt))
  })
  .patch('/:attemptId', async (c) => {
    const attempt = await getOwnAttempt(c)
    const changed = await updateAttempt(c.var.db, attempt, await readDetails(c))
    return answerAttempt(c, await completeWhenPossible(c, changed))
  })
  .patch('/:attemptId/protect_check', async (c) => {
    const attempt = await getOwnAttempt(c)
    requireProof(await readForm(c))
    return answerAttempt(c, await complete(c, attempt))
  })
  .get('/:attemptId', async (c) => answerAttempt(c, await getOwnAttempt(c)))

function answerAttempt(c: StandInContext, attempt: Attempt): Promise<Response> {
  return answer(c, signUpJson(attempt, protectCheckOf(c, attempt)))
}

function getOwnAttempt(c: StandInContext): Promise<Attempt> {
  const attemptId = c.req.param('attemptId') ?? ''
  return getAttempt(c.var.db, { kind: 'sign_up', clientId: c.var.clientId ?? '', attemptId })
}

async function readDetails(c: StandInContext) {
  const form = await readForm(c)
  const details: Partial<Attempt> = {}
  if (form.email_address) details.email = await requireFreeEmail(c, form.email_address)
  if (form.password) details.passwordHash = await hashPassword(requireNewPassword(form.password, 'password'))
  if (form.first_name) details.firstName = form.first_name
  if (form.last_name) details.lastName = form.last_name
  return details
}

async function requireFreeEmail(c: StandInContext, text: string): Promise<string> {
  const email = requireEmail(text, 'email_address')
  if (await findUserByEmail(c.var.db, email)) throw emailTaken()
  return email
}

function emailTaken() {
  return fieldError('email_address', 'form_identifier_exists', 'That email address is taken. Please try another.')
}

async function completeWhenPossible(c: StandInContext, attempt: Attempt): Promise<Attempt> {
  return protectCheckOf(c, attempt) === null ? complete(c, attempt) : attempt
}

async function complete(c: StandInContext, attempt: Attempt): Promise<Attempt> {
  const { email, passwordHash, firstName, lastName } = attempt
  if (missingFields(attempt).length > 0 || !email || !passwordHash || attempt.sessionId) return attempt
  const user = await createUser(c.var.db, { email, passwordHash, firstName, lastName })
  if (!user) throw emailTaken()
  const session = await openSession(c.var.db, attempt.clientId, user.id)
  await setSignedInSince(c, session.createdAtMs)
  return updateAttempt(c.var.db, attempt, { userId: user.id, sessionId: session.id })
}
