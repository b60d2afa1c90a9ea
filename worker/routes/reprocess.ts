import { Hono } from 'hono'
import { type ReprocessAnswer, ReprocessRequest } from '#contract/reprocess.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson } from '#worker/http/read-body.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const reprocessRoutes = new Hono<AppEnv>().use(requireUser).post('/:moduleId', async (c) => {
  const deps = openRunDeps(c.env)
  const module = await getOwnModule(deps.db, c.var.caller, c.req.param('moduleId'))
  const request = hasBody(c.req.raw) ? await readJson(c, ReprocessRequest) : {}
  const { moduleId, run } = await reprocessModule(deps, module, request)
  return c.json({ success: true, moduleId, run } satisfies ReprocessAnswer)
})

/** A plain client sends nothing at all, though it may say of what type. */
function hasBody(request: Request): boolean {
  return request.body !== null && request.headers.get('content-length') !== '0'
}
