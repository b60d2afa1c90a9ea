import { Hono } from 'hono'
import { type DuplicateAnswer, DuplicateRequest } from '#contract/training/duplicate.ts'
import { duplicateModule } from '#worker/domain/duplicate/duplicate-module.ts'
import { requestTranslations } from '#worker/domain/translation/request-translations.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { getOwn, readJson, requireUser } from '#worker/http/request.ts'

/** A training of its own out of another one. */
export const duplicateRoutes = new Hono<AppEnv>().post('/:moduleId/duplicate', requireUser, async (c) => {
  const request = await readJson(c, DuplicateRequest)
  const module = await getOwn(c)
  const answer = await duplicateModule(c.var.context, module, { ...request, caller: c.var.caller })
  // Its title is another one.
  await requestTranslations(c.var.context, { ...module, id: answer.moduleId })
  return c.json(answer satisfies DuplicateAnswer)
})
