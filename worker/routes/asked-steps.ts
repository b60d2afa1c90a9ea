import { Hono } from 'hono'
import type { AskedStepsAnswer } from '#contract/records/asked-steps.ts'
import { findVisitorAssigned } from '#worker/domain/module/assigned-access.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { readAskedSteps } from '#worker/domain/sign-off/asked-steps.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

/** What is asked again of the person whose device asks. */
export const askedStepRoutes = new Hono<AppEnv>().get('/trainings/:linkId/asked', async (c) => {
  const assigned = await findVisitorAssigned(c.var.context, c.req.param('linkId'))
  if (assigned === null) throw moduleNotFound()
  const { module, known, person } = assigned
  const steps = await readAskedSteps(c.var.context, { ...person, module, known })
  return c.json({ success: true, steps } satisfies AskedStepsAnswer)
})
