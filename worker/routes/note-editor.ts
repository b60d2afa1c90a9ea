import { createMiddleware } from 'hono/factory'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** Records who has changed a training, by calls of `/api/{noun}/{id}` that change what a version is made of. */
export const noteEditor = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const [, , , moduleId = '', part] = c.req.path.split('/')
  if (c.req.method === 'GET' || part === 'rewrite' || !c.res.ok) return
  await recordEditor(c.var.context.d1, moduleId, c.var.caller.userId)
})
