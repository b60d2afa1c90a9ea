import { type Context, Hono } from 'hono'
import { nanoid } from 'nanoid'
import {
  AnswerPatch,
  type AskedAnswer,
  AskTrainer,
  type AskTrainerAnswer,
  type DigestAnswer,
  NamedQuestions,
  NewAnswer,
} from '#contract/feedback/questions.ts'
import { findLanguage } from '#contract/languages.ts'
import { LearnerRequest } from '#contract/learning.ts'
import { AppError } from '#worker/core/errors.ts'
import { signVisitorToken } from '#worker/domain/learning/learner-token.ts'
import { findWatcher } from '#worker/domain/learning/start-session.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { changeAnswer, giveAnswer, withdrawAnswer } from '#worker/domain/questions/answer-questions.ts'
import { askTrainer, ignoreAsker, readAsked } from '#worker/domain/questions/ask-trainer.ts'
import { readDigest } from '#worker/domain/questions/read-digest.ts'
import { takeOne } from '#worker/domain/quota/take-quota.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { requestTranslations } from '#worker/domain/translation/request-translations.ts'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { limitNewLearner } from '#worker/http/limits.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import { answerDone, findCaller, getOwn, readJson, readQuery, requireUser } from '#worker/http/request.ts'
import { chooseInterface, listWanted } from '#worker/http/visitor-language.ts'

/**
 * Finds who asks the trainer: an account, or the device that a token names.
 * @throws {AppError} not_found, unauthenticated where people with the link cannot ask
 */
async function findAsker(c: Context<AppEnv>, learner: string | undefined) {
  const caller = await findCaller(c)
  const found = await findWatcher(c.var.context, caller, { moduleId: c.req.param('moduleId') ?? '', learner })
  const { module, watcher } = found
  const userId = caller?.userId ?? null
  if (userId === null && module.linkAnswersPerDay === null)
    throw new AppError('unauthenticated', 'Sign in to ask the trainer about this training.')
  // The token of an account's progress opens nothing else of the account.
  const device = watcher?.userId === null ? watcher.learnerId : null
  return { module, userId, device }
}

/** Questions to the trainer, from everybody who may ask the tutor. */
export const askedRoutes = new Hono<AppEnv>()
  .get('/:moduleId', async (c) => {
    const { module, userId, device } = await findAsker(c, readQuery(c, LearnerRequest).learner)
    const askerId = userId ?? device
    const wanted = listWanted(c).flatMap((tag) => findLanguage(tag) ?? [])
    const asked = askerId === null ? [] : await readAsked(c.var.context, module, { userId: askerId, wanted })
    return c.json({ success: true, asked } satisfies AskedAnswer)
  })
  .post('/:moduleId', async (c) => {
    const { learner, ...question } = await readJson(c, AskTrainer)
    const { context } = c.var
    const { module, userId, device } = await findAsker(c, learner)
    if (userId !== null) await takeOne(context, 'questions', userId)
    else if (device === null) await limitNewLearner(c, module.id)
    const address = c.req.header('cf-connecting-ip')
    const learnerId = device ?? `anyone:${nanoid()}`
    const from =
      userId === null ? { network: networkOf(address), site: siteOf(address) } : { network: null, site: null }
    await askTrainer(context, module, {
      ...question,
      userId: userId ?? learnerId,
      ...from,
      language: chooseInterface(c),
    })
    // As all of a visitor's tokens: for the address of the link, which is not the module's id where it was replaced.
    const visitor = { learnerId, moduleId: c.req.param('moduleId') }
    const token = userId === null ? await signVisitorToken(context.secrets, visitor) : null
    return c.json({ success: true, learner: token } satisfies AskTrainerAnswer)
  })

/** The trainer's answers; owners only. */
export const answerRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const questions = await readDigest(c.var.context, c.var.caller)
    return c.json({ success: true, questions } satisfies DigestAnswer)
  })
  .post('/:moduleId/answers', async (c) => {
    const module = await getOwn(c)
    const answer = await readJson(c, NewAnswer)
    await giveAnswer(c.var.context, module, answer)
    return settleChange(c, module, { isPrinted: answer.inPrint })
  })
  .patch('/:moduleId/answers/:answerId', async (c) => {
    const module = await getOwn(c)
    const patch = await readJson(c, AnswerPatch)
    const isPrinted = await changeAnswer(c.var.context, module, { id: c.req.param('answerId'), patch })
    return settleChange(c, module, { isPrinted })
  })
  .delete('/:moduleId/answers/:answerId', async (c) => {
    const module = await getOwn(c)
    const isPrinted = await withdrawAnswer(c.var.context, module.id, c.req.param('answerId'))
    return settleChange(c, module, { isPrinted })
  })
  .post('/:moduleId/ignore', async (c) => {
    const { id: moduleId } = await getOwn(c)
    const { ids } = await readJson(c, NamedQuestions)
    await ignoreAsker(c.var.context.d1, { moduleId, ids, nowMs: c.var.context.nowMs() })
    return answerDone(c)
  })

/** Does what follows a change of an answer. @param isPrinted whether it stands in print, or stood there */
async function settleChange(
  c: Context<AppEnv>,
  module: ModuleRow,
  { isPrinted }: { isPrinted: boolean },
): Promise<Response> {
  const { context, caller } = c.var
  if (isPrinted) await recordEditor(context.d1, module.id, caller.userId)
  await requestTranslations(context, module)
  await forgetShareSoon(context, module.id)
  return answerDone(c)
}
