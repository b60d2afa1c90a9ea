import { Hono } from 'hono'
import { answer, ensureClientId, setSignedInSince } from '../client.ts'
import type { StandInContext, StandInEnv } from '../context.ts'
import { fieldError } from '../fapi-error.ts'
import { normalizeEmail, readForm } from '../form.ts'
import { signInJson } from '../json/attempt-resources.ts'
import { isPassword } from '../passwords.ts'
import { refuseSecondSession } from '../signed-in.ts'
import { getAttempt, startAttempt, updateAttempt } from '../store/attempt-store.ts'
import { openSession } from '../store/session-store.ts'
import { findUser, findUserByEmail } from '../store/user-store.ts'
import type { Attempt, User } from '../tables.ts'

export const signInRoutes = new Hono<StandInEnv>()
  .post('/', async (c) => {
    await refuseSecondSession(c)
    const form = await readForm(c)
    const user = await getUser(c, form.identifier ?? '')
    const details = { email: user.email, userId: user.id }
    const attempt = await startAttempt(c.var.db, { kind: 'sign_in', clientId: ensureClientId(c), details })
    const next = form.password === undefined ? attempt : await completeWithPassword(c, attempt, form.password)
    return answer(c, await signInJson(c.var.db, next))
  })
  .post('/:attemptId/attempt_first_factor', async (c) => {
    await refuseSecondSession(c)
    const form = await readForm(c)
    const complete = await completeWithPassword(c, await getOwnAttempt(c), form.password ?? '')
    return answer(c, await signInJson(c.var.db, complete))
  })
  .get('/:attemptId', async (c) => answer(c, await signInJson(c.var.db, await getOwnAttempt(c))))

function getOwnAttempt(c: StandInContext): Promise<Attempt> {
  const attemptId = c.req.param('attemptId') ?? ''
  return getAttempt(c.var.db, { kind: 'sign_in', clientId: c.var.clientId ?? '', attemptId })
}

async function getUser(c: StandInContext, identifier: string): Promise<User> {
  const user = await findUserByEmail(c.var.db, normalizeEmail(identifier))
  if (!user) throw fieldError('identifier', 'form_identifier_not_found', "Couldn't find your account.")
  return user
}

async function completeWithPassword(c: StandInContext, attempt: Attempt, password: string): Promise<Attempt> {
  const user = attempt.userId ? await findUser(c.var.db, attempt.userId) : null
  if (!user || !(await isPassword(password, user.passwordHash))) {
    const text = 'Password is incorrect. Try again, or use another method.'
    throw fieldError('password', 'form_password_incorrect', text)
  }
  const session = await openSession(c.var.db, attempt.clientId, user.id)
  await setSignedInSince(c, session.createdAtMs)
  return updateAttempt(c.var.db, attempt, { sessionId: session.id })
}
