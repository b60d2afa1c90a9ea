import { Hono } from 'hono'
import { answer, ensureClientId, protectCheckOf, requireProof, setSignedInSince } from '../client.ts'
import {
  fieldError,
  normalizeEmail,
  readForm,
  requireEmail,
  requireNewPassword,
  type StandInContext,
  type StandInEnv,
} from '../context.ts'
import { missingFields, signInJson, signUpJson } from '../json/user-resources.ts'
import {
  createUser,
  findUser,
  findUserByEmail,
  getAttempt,
  hashPassword,
  isPassword,
  openSession,
  startAttempt,
  updateAttempt,
} from '../store/account-store.ts'
import type { Attempt, User } from '../tables.ts'
import { refuseSecondSession } from '../tokens.ts'

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
    const complete = await completeWithPassword(c, await getOwnSignIn(c), form.password ?? '')
    return answer(c, await signInJson(c.var.db, complete))
  })
  .get('/:attemptId', async (c) => answer(c, await signInJson(c.var.db, await getOwnSignIn(c))))

function getOwnSignIn(c: StandInContext): Promise<Attempt> {
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

export const signUpRoutes = new Hono<StandInEnv>()
  .post('/', async (c) => {
    await refuseSecondSession(c)
    const details = await readDetails(c)
    const attempt = await startAttempt(c.var.db, { kind: 'sign_up', clientId: ensureClientId(c), details })
    return answerAttempt(c, await completeWhenPossible(c, attempt))
  })
  .patch('/:attemptId', async (c) => {
    const attempt = await getOwnSignUp(c)
    const changed = await updateAttempt(c.var.db, attempt, await readDetails(c))
    return answerAttempt(c, await completeWhenPossible(c, changed))
  })
  .patch('/:attemptId/protect_check', async (c) => {
    const attempt = await getOwnSignUp(c)
    requireProof(await readForm(c))
    return answerAttempt(c, await complete(c, attempt))
  })
  .get('/:attemptId', async (c) => answerAttempt(c, await getOwnSignUp(c)))

function answerAttempt(c: StandInContext, attempt: Attempt): Promise<Response> {
  return answer(c, signUpJson(attempt, protectCheckOf(c, attempt)))
}

function getOwnSignUp(c: StandInContext): Promise<Attempt> {
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
