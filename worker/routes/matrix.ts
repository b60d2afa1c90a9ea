import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type MatrixAnswer, MatrixRequest } from '#contract/records/matrix.ts'
import { getKeyOrg } from '#worker/domain/matrix/matrix-key.ts'
import { readMatrix } from '#worker/domain/matrix/read-matrix.ts'
import { getSigningOrg } from '#worker/domain/organization/membership.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { limitCaller } from '#worker/http/limits.ts'
import { readQuery, requireUser } from '#worker/http/request.ts'

/** As `issueMatrixKey` makes it; the token of a person begins otherwise, and has dots. */
const KEY = /^Bearer +(adapt_[\w-]+)$/i

async function answerMatrix(c: Context<AppEnv>, orgId: string): Promise<Response> {
  return c.json((await readMatrix(c.var.context, orgId, readQuery(c, MatrixRequest))) satisfies MatrixAnswer)
}

/** Answers a program with the key of an organization; everybody else signs in. */
const answerKey = createMiddleware<AppEnv>(async (c, next) => {
  const key = KEY.exec(c.req.header('authorization') ?? '')?.[1]
  if (key === undefined) return next()
  const orgId = await getKeyOrg(c.var.context.db, key)
  await limitCaller(c, `key:${orgId}`)
  return answerMatrix(c, orgId)
})

/** How the people of an organization stand with its trainings, for those who train them. */
export const matrixRoutes = new Hono<AppEnv>().get('/', answerKey, requireUser, (c) =>
  answerMatrix(c, getSigningOrg(c.var.caller)),
)
