import { type Context, Hono } from 'hono'
import { type FeedbackAnswer, type FeedbackStatsAnswer, SubmitFeedback, SubmitImprovement } from '#contract/feedback.ts'
import { openDb } from '#worker/db/db.ts'
import { rate, suggest } from '#worker/domain/feedback/give-feedback.ts'
import { readFeedbackStats } from '#worker/domain/feedback/read-stats.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { quotaDepsOf } from '#worker/http/quota-deps.ts'
import { readJson } from '#worker/http/read-body.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const feedbackRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/submit', async (c) => {
    const rating = await readJson(c, SubmitFeedback)
    await rate(openDeps(c), c.var.caller, rating)
    return c.json({ success: true, message: 'Thank you for your feedback!' } satisfies FeedbackAnswer)
  })
  .post('/improvement', async (c) => {
    const suggestion = await readJson(c, SubmitImprovement)
    await suggest(openDeps(c), c.var.caller, suggestion)
    const message = "Thank you for your feedback! We'll use it to improve this training."
    return c.json({ success: true, message } satisfies FeedbackAnswer)
  })
  .get('/stats', async (c) => {
    return c.json((await readFeedbackStats(c.env.DB, c.var.caller)) satisfies FeedbackStatsAnswer)
  })

function openDeps(c: Context<AppEnv>) {
  return { ...quotaDepsOf(c), db: openDb(c.env.DB) }
}
