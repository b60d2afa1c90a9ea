import { type Context, Hono } from 'hono'
import { z } from 'zod'
import {
  type DueReviewsAnswer,
  NewCheck,
  NewComment,
  ReviewSchedule,
  SendBack,
  ThreadState,
  type ThreadsAnswer,
} from '#contract/review.ts'
import type { TranscriptAnswer } from '#contract/transcript.ts'
import {
  PublishRequest,
  RestoreVersion,
  ReviewRequest,
  type VersionAnswer,
  VersionName,
  type VersionsAnswer,
  VersionsSwitch,
} from '#contract/version.ts'
import { updateUsedImages } from '#worker/domain/image/image-store.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { forgetShareNow, forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { requestTranslations } from '#worker/domain/translation/request-translations.ts'
import { askForReview, sendBack } from '#worker/domain/version/approve-version.ts'
import { listDueReviews, recordCheck, scheduleReviews } from '#worker/domain/version/due-reviews.ts'
import {
  publishVersion,
  readVersion,
  readVersions,
  readVersionTranscript,
  restoreVersion,
  switchVersions,
} from '#worker/domain/version/publish-version.ts'
import { addComment, readThreads, settleThread } from '#worker/domain/version/review-comments.ts'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { getEdited, getOwn, readJson, readParam, requireUser } from '#worker/http/request.ts'

/** The versions of a training. Who was invited to edit it reads them, comments on its draft, and asks for a release. */
export const versionRoutes = new Hono<AppEnv>()
  .use(requireUser)
  // No module has an id as short as this.
  .get('/due', async (c) => {
    const trainings = await listDueReviews(c.var.context, c.var.caller)
    return c.json({ success: true, trainings } satisfies DueReviewsAnswer)
  })
  .get('/:moduleId', async (c) => answerVersions(c, await getEdited(c)))
  .put('/:moduleId', async (c) => {
    const request = await readJson(c, VersionsSwitch)
    const module = await getOwn(c)
    await switchVersions(c.var.context, module, { ...request, caller: c.var.caller })
    return answerChanged(c, module)
  })
  .post('/:moduleId', async (c) => {
    const request = await readJson(c, PublishRequest)
    const module = await getOwn(c)
    await publishVersion(c.var.context, module, { ...request, caller: c.var.caller })
    return answerChanged(c, module)
  })
  .post('/:moduleId/review', async (c) => {
    const request = await readJson(c, ReviewRequest)
    const module = await getEdited(c)
    await askForReview(c.var.context, module, { ...request, userId: c.var.caller.userId })
    return answerVersions(c, module)
  })
  .put('/:moduleId/review', async (c) => {
    const request = await readJson(c, SendBack)
    const module = await getOwn(c)
    await sendBack(c.var.context, module, { ...request, caller: c.var.caller })
    return answerVersions(c, module)
  })
  .post('/:moduleId/comments', async (c) => {
    const comment = await readJson(c, NewComment)
    const { id: moduleId } = await getEdited(c)
    await addComment(c.var.context, { ...comment, moduleId, caller: c.var.caller })
    return answerThreads(c, { moduleId, version: 'draft' })
  })
  .put('/:moduleId/comments', async (c) => {
    const change = await readJson(c, ThreadState)
    const { id: moduleId } = await getEdited(c)
    await settleThread(c.var.context, { ...change, moduleId })
    return answerThreads(c, { moduleId, version: 'draft' })
  })
  .put('/:moduleId/schedule', async (c) => {
    const schedule = await readJson(c, ReviewSchedule)
    const module = await getOwn(c)
    await scheduleReviews(c.var.context, module, { ...schedule, caller: c.var.caller })
    return answerVersions(c, module)
  })
  .post('/:moduleId/checks', async (c) => {
    const check = await readJson(c, NewCheck)
    const module = await getOwn(c)
    await recordCheck(c.var.context, module, { ...check, caller: c.var.caller })
    return answerVersions(c, module)
  })
  .get('/:moduleId/:version/comments', async (c) => {
    const { id: moduleId } = await getEdited(c)
    return answerThreads(c, { moduleId, version: readParam(c, 'version', VersionName) })
  })
  .get('/:moduleId/:version/transcript', async (c) => {
    const module = await getEdited(c)
    const name = readParam(c, 'version', VersionName)
    return c.json((await readVersionTranscript(c.var.context, module, name)) satisfies TranscriptAnswer)
  })
  .get('/:moduleId/:version', async (c) => {
    const module = await getEdited(c)
    const name = readParam(c, 'version', VersionName)
    return c.json((await readVersion(c.var.context, module, name)) satisfies VersionAnswer)
  })
  .post('/:moduleId/:version/restore', async (c) => {
    const { stepsVersion } = await readJson(c, RestoreVersion)
    const module = await getOwn(c)
    const number = readParam(c, 'version', z.coerce.number().int().min(1))
    const answer = await restoreVersion(c.var.context, module, { number, stepsVersion })
    await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    await updateUsedImages(c.var.context.d1, module.id, c.var.context.nowMs())
    await publishModule(c.var.context, module.id)
    await forgetShareSoon(c.var.context, module.id)
    await requestTranslations(c.var.context, module)
    return c.json(answer)
  })

/** Notifies watchers and ends what the edge keeps: what learners see has changed. */
async function answerChanged(c: Context<AppEnv>, module: ModuleRow): Promise<Response> {
  await forgetShareNow(c.var.context, module.id)
  await publishModule(c.var.context, module.id)
  return answerVersions(c, module)
}

async function answerThreads(c: Context<AppEnv>, which: { moduleId: string; version: VersionName }): Promise<Response> {
  return c.json((await readThreads(c.var.context, { ...which, caller: c.var.caller })) satisfies ThreadsAnswer)
}

async function answerVersions(c: Context<AppEnv>, { id }: ModuleRow): Promise<Response> {
  return c.json((await readVersions(c.var.context, id, c.var.caller)) satisfies VersionsAnswer)
}
