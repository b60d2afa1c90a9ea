import { Hono } from 'hono'
import local from '#local/worker.ts'
import { seedWorld } from '#worker/routes/testing/fuzz/seed-world.ts'
import { checkTables } from '#worker/routes/testing/fuzz/stored-faults.ts'

export { CallPacer, ModuleRoom, SharePage, SweepRunner, TaskRunner, TutorRunner } from '#local/worker.ts'

const fuzz = new Hono<{ Bindings: Env }>()
  .post('/api/fuzz/plant', async (c) => {
    const fetch = (request: Request) => local.fetch(request, c.env, c.executionCtx as ExecutionContext)
    return c.json(await seedWorld({ env: c.env, fetch: async (request) => fetch(request) }))
  })
  .get('/api/fuzz/tables', async (c) => c.json(await checkTables(c.env.DB)))
  .all('*', (c) => local.fetch(c.req.raw, c.env, c.executionCtx as ExecutionContext))

/** The whole system of a machine without accounts, and ways to seed modules and to look into its tables. */
export default {
  ...local,
  fetch: (request, env, ctx) => fuzz.fetch(request, env, ctx),
} satisfies ExportedHandler<Env>
