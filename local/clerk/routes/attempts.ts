import { Hono } from 'hono'
import { missingFields, signInJson, signUpJson } from '../json/resources.ts'
import { answer, ensureClientId, protectCheckOf, requireProof, setSignedInSince } from '../session/client.ts'
import {
  normalizeEmail,
  readForm,
  requireEmail,
  requireNewPassword,
  type StandInContext,
  type StandInEnv,
} from '../session/context.ts'
import { refuseSecondSession } from '../session/tokens.ts'
import {
  createUser,
  findAttemptUser,
  findUserByEmail,
  getAttempt,
  hashPassword,
  isPassword,
  openSession,
  startAttempt,
  updateAttempt,
} from '../store/account-store.ts'
import { fieldError, wrongPassword } from '../store/failures.ts'
import type { Attempt, User } from '../store/tables.ts'

function getOwnAttempt(c: StandInContext, kind: Attempt['kind']): Promise<Attempt> {
  return getAttempt(c.var.db, { kind, clientId: c.var.clientId ?? '', id: c.req.param('attemptId') ?? '' })
}

/** Completes an attempt: its browser is signed in from now on. */
async function signIn(c: StandInContext, attempt: Attempt, userId: string): Promise<Attempt> {
  const session = await openSession(c.var.db, attempt.clientId, userId)
  await setSignedInSince(c, session.createdAtMs)
  return updateAttempt(c.var.db, attempt, { userId, sessionId: session.id })
}

export const signInRoutes = new Hono<StandInEnv>()
  .post('/', async (c) => {
    await refuseSecondSession(c)
    const form = await readForm(c)
    const user = await findUserByEmail(c.var.db, normalizeEmail(form.identifier ?? ''))
    if (!user) throw fieldError('identifier', 'form_identifier_not_found', "Couldn't find your account.")
    const { email, id: userId } = user
    const attempt = await startAttempt(c.var.db, { kind: 'sign_in', clientId: ensureClientId(c), email, userId })
    if (form.password === undefined) return answer(c, signInJson(attempt, user))
    return answerWithPassword(c, attempt, user, form.password)
  })
  .post('/:attemptId/attempt_first_factor', async (c) => {
    await refuseSecondSession(c)
    const { password = '' } = await readForm(c)
    const attempt = await getOwnAttempt(c, 'sign_in')
    return answerWithPassword(c, attempt, await findAttemptUser(c.var.db, attempt), password)
  })
  .get('/:attemptId', async (c) => {
    const attempt = await getOwnAttempt(c, 'sign_in')
    return answer(c, signInJson(attempt, await findAttemptUser(c.var.db, attempt)))
  })

async function answerWithPassword(c: StandInContext, attempt: Attempt, user: User | null, password: string) {
  if (!user || !(await isPassword(password, user.passwordHash))) throw wrongPassword()
  return answer(c, signInJson(await signIn(c, attempt, user.id), user))
}

export const signUpRoutes = new Hono<StandInEnv>()
  .post('/', async (c) => {
    await refuseSecondSession(c)
    const attempt = { ...(await readDetails(c)), kind: 'sign_up', clientId: ensureClientId(c) } as const
    return continueSignUp(c, await startAttempt(c.var.db, attempt))
  })
  .patch('/:attemptId', async (c) => {
    const attempt = await getOwnAttempt(c, 'sign_up')
    return continueSignUp(c, await updateAttempt(c.var.db, attempt, await readDetails(c)))
  })
  .patch('/:attemptId/protect_check', async (c) => {
    const attempt = await getOwnAttempt(c, 'sign_up')
    requireProof(await readForm(c))
    return answerSignUp(c, await complete(c, attempt))
  })
  .get('/:attemptId', async (c) => answerSignUp(c, await getOwnAttempt(c, 'sign_up')))

function answerSignUp(c: StandInContext, attempt: Attempt): Promise<Response> {
  return answer(c, signUpJson(attempt, protectCheckOf(c, attempt)))
}

async function continueSignUp(c: StandInContext, attempt: Attempt): Promise<Response> {
  return answerSignUp(c, protectCheckOf(c, attempt) === null ? await complete(c, attempt) : attempt)
}

async function readDetails(c: StandInContext) {
  const form = await readForm(c)
  const details: Partial<Attempt> = {}
  if (form.email_address) {
    details.email = requireEmail(form.email_address, 'email_address')
    if (await findUserByEmail(c.var.db, details.email)) throw emailTaken()
  }
  if (form.password) details.passwordHash = await hashPassword(requireNewPassword(form.password, 'password'))
  if (form.first_name) details.firstName = form.first_name
  if (form.last_name) details.lastName = form.last_name
  return details
}

function emailTaken() {
  return fieldError('email_address', 'form_identifier_exists', 'That email address is taken. Please try another.')
}

async function complete(c: StandInContext, attempt: Attempt): Promise<Attempt> {
  const { email, passwordHash, firstName, lastName } = attempt
  if (missingFields(attempt).length > 0 || !email || !passwordHash || attempt.sessionId) return attempt
  const user = await createUser(c.var.db, { email, passwordHash, firstName, lastName })
  if (!user) throw emailTaken()
  return signIn(c, attempt, user.id)
}
