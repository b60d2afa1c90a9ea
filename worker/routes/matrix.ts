import { Hono } from 'hono'
import { type MatrixAnswer, MatrixRequest } from '#contract/records/matrix.ts'
import { readMatrix } from '#worker/domain/matrix/read-matrix.ts'
import { getSigningOrg } from '#worker/domain/organization/membership.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readQuery, requireUser } from '#worker/http/request.ts'

/** How the people of an organization stand with its trainings, for those who train them. */
export const matrixRoutes = new Hono<AppEnv>().use(requireUser).get('/', async (c) => {
  const orgId = getSigningOrg(c.var.caller)
  return c.json((await readMatrix(c.var.context, orgId, readQuery(c, MatrixRequest))) satisfies MatrixAnswer)
})
