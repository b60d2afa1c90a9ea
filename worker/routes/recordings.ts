import { Hono } from 'hono'
import type { StepsAnswer } from '#contract/step.ts'
import { type RecordingAnswer, TakeRecording } from '#contract/training/recording.ts'
import { updateUsedImages } from '#worker/domain/image/image-store.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { readRecording } from '#worker/domain/recording/read-recording.ts'
import { settle, takeRecording } from '#worker/domain/recording/take-recording.ts'
import { forgetShareNow } from '#worker/domain/share/forget-share.ts'
import { requestTranslations } from '#worker/domain/translation/request-translations.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { getOwn, readJson, requireUser } from '#worker/http/request.ts'

/** The new recording that is to replace the video of a training, for its owners. */
export const recordingRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) =>
    c.json((await readRecording(c.var.context, c.var.caller, await getOwn(c))) satisfies RecordingAnswer),
  )
  .post('/:moduleId', async (c) => {
    const request = await readJson(c, TakeRecording)
    const module = await getOwn(c)
    const { context, caller } = c.var
    const answer = await takeRecording(context, module, { ...request, caller })
    await settle('recording_not_announced', module.id, [
      updateUsedImages(context.d1, module.id, context.nowMs()),
      requestTranslations(context, module),
      // The video of the link is another one.
      forgetShareNow(context, module.id),
      publishModule(context, module.id),
    ])
    return c.json(answer satisfies StepsAnswer)
  })
