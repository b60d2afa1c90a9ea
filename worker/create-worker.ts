import { WorkerEntrypoint } from 'cloudflare:workers'
import { Hono } from 'hono'
import type { MakeServices } from '#worker/core/services.ts'
import type { TaskKind } from '#worker/db/task-tables.ts'
import type { AlertRun } from '#worker/domain/health/alert-of-health.ts'
import { openAskedQueues } from '#worker/domain/health/probe-parts.ts'
import type { SweptPart } from '#worker/domain/health/swept-parts.ts'
import { type AnsweredTurn, type AnswerListener, answerTurn, type Turn } from '#worker/domain/tutor/answer-turn.ts'
import { openBoundedContext, openContext, openServedContext } from '#worker/entry/open-context.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { allowOrigins, completeHeaders } from '#worker/http/headers.ts'
import { limitTime, REQUEST_DEADLINE_MS } from '#worker/http/limit-time.ts'
import { mountLimits } from '#worker/http/limits.ts'
import { findLinkToken, findPersonToken } from '#worker/http/link-cookie.ts'
import { answerUnknown, redirectSlash, showMissing } from '#worker/http/pages.ts'
import { answerProblem } from '#worker/http/problem.ts'
import { refuseInner, shareEdgeOf } from '#worker/http/share-edge.ts'
import { traceRequest } from '#worker/http/trace-request.ts'
import { handleUploadsCreated, purgeShares } from '#worker/jobs/consume-queues.ts'
import { type RunPart, runSweep } from '#worker/jobs/sweep.ts'
import { type PartDone, sweepPart } from '#worker/jobs/sweep-parts.ts'
import { withTrace } from '#worker/log/log.ts'
import { wakeWatchdog } from '#worker/pipeline/recover.ts'
import { TASK_HANDLERS } from '#worker/pipeline/task-handlers.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { accountRoutes, feedbackRoutes, openedModuleRoutes } from '#worker/routes/account.ts'
import { answerRoutes, askedRoutes } from '#worker/routes/asked.ts'
import { assignmentRoutes } from '#worker/routes/assignments.ts'
import { collectionRoutes } from '#worker/routes/collections.ts'
import { duplicateRoutes } from '#worker/routes/duplicates.ts'
import { createHealthRoutes, debugRoutes } from '#worker/routes/health.ts'
import { invitationRoutes } from '#worker/routes/invitations.ts'
import { learningRoutes } from '#worker/routes/learning.ts'
import { matrixRoutes } from '#worker/routes/matrix.ts'
import { moduleRoutes } from '#worker/routes/modules.ts'
import { myRoutes } from '#worker/routes/my.ts'
import { notificationRoutes } from '#worker/routes/notifications.ts'
import { groupRoutes, peopleRoutes } from '#worker/routes/people.ts'
import { recordingRoutes } from '#worker/routes/recordings.ts'
import { recordRoutes } from '#worker/routes/records.ts'
import { reprocessRoutes } from '#worker/routes/reprocess.ts'
import { createShareOrigin } from '#worker/routes/share-origin.ts'
import { embedRoutes, oembedRoutes, sharePageRoutes, shareRoutes } from '#worker/routes/share-page.ts'
import { signOffRoutes } from '#worker/routes/sign-off.ts'
import { assetRoutes, pageRoutes } from '#worker/routes/site.ts'
import { stepReportRoutes } from '#worker/routes/step-reports.ts'
import { captionRoutes, stepRoutes, transcriptRoutes } from '#worker/routes/steps.ts'
import { linkQuestionRoutes, qaRoutes, questionRoutes, tutorRoutes } from '#worker/routes/tutor.ts'
import { versionRoutes } from '#worker/routes/versions.ts'
import { imageRoutes, mediaRoutes, smallCopyRoutes, uploadRoutes, videoUrlRoutes } from '#worker/routes/videos.ts'
import { drain, readInFlight } from '#worker/tasks/drain.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import type { Task } from '#worker/tasks/task.ts'

/** The queue of each kind of task. How queues are called differs between environments, but not how their names end. */
const QUEUE_OF: Readonly<Record<TaskKind, string>> = {
  ingest: 'ingest',
  transcribe: 'speech',
  write_steps: 'steps',
  translate: 'translations',
  notify: 'notices',
}
const KINDS = Object.keys(QUEUE_OF) as TaskKind[]

/**
 * The whole worker around its services: HTTP, queues and scheduled work.
 * @param openAlerts how alerts are sent; null where they are off
 */
export function createWorker(makeServices: MakeServices, openAlerts: (env: Env) => AlertRun | null = () => null) {
  const app = createApp(makeServices)
  return {
    fetch: (request: Request, env: Env, ctx: ExecutionContext) => app.fetch(request, env, ctx),
    queue: async (batch: MessageBatch<unknown>, env: Env, ctx: ExecutionContext) => {
      const queue = batch.queue.slice(batch.queue.lastIndexOf('-') + 1)
      if (queue === 'dead') return wakeWatchdog(batch, openBoundedContext(env))
      if (queue === 'uploads') return handleUploadsCreated(batch, openBoundedContext(env))
      if (queue === 'purges') return purgeShares(batch, shareEdgeOf(ctx))
      const kind = KINDS.find((each) => QUEUE_OF[each] === queue)
      if (kind === undefined) throw new Error(`Nothing consumes the queue ${batch.queue}.`)
      const { TaskRunner } = ctx.exports as unknown as Loopback
      const inFlight = readInFlight(env)
      // A doorbell is settled whatever its outcome: the database knows the work.
      batch.ackAll()
      const runClaimed = (tasks: Task[]) => TaskRunner.runTasks(tasks)
      await drain(kind, openContext(env, { handlers: TASK_HANDLERS, runTasks: runClaimed, inFlight }))
    },
    scheduled: (_event: ScheduledController, env: Env, ctx: ExecutionContext) => {
      const { SweepRunner } = ctx.exports as unknown as Loopback
      const runPart: RunPart = (part, requestId) => SweepRunner.sweepPart(part, requestId)
      return runSweep(openContext(env), { queues: openAskedQueues(env), runPart, alerts: openAlerts(env) })
    },
  } satisfies ExportedHandler<Env>
}

/** The entry's own entrypoints, each call of which is another invocation of this worker. */
interface Loopback {
  TaskRunner: { runTasks: (tasks: Task[]) => Promise<void> }
  SweepRunner: { sweepPart: RunPart }
}

/** All routes; the test of who may do what reads them. */
export function createApp(makeServices: MakeServices): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.onError(answerProblem)
  // Not thrown: what is thrown here skips what follows on every answer.
  app.notFound(answerUnknown)
  app.use(traceRequest({ event: 'request', idOf: () => crypto.randomUUID() }))
  app.use(refuseInner)
  app.use(async (c, next) => {
    const context = openServedContext(c.env, c.executionCtx, makeServices)
    const linkTokenOf = (linkId: string) => findLinkToken(c, linkId)
    c.set('context', Object.assign(context, { linkTokenOf, personToken: findPersonToken(c) }))
    await next()
    completeHeaders(c)
  })
  app.use(redirectSlash)
  app.use('/api/*', allowOrigins)
  app.use('/api/*', limitTime(REQUEST_DEADLINE_MS))
  mountLimits(app)
  for (const look of ['share', 'embed'] as const)
    for (const path of [`/${look}`, `/${look}/*`]) app.use(path, showMissing(look))
  addTeamRoutes(app)
  return (
    app
      .route('/api/health', createHealthRoutes())
      // Before the other routes of modules, which ask each call once more who it is.
      .route('/api/modules', imageRoutes)
      .route('/api/modules', smallCopyRoutes)
      .route('/api/modules', duplicateRoutes)
      .route('/api/modules', moduleRoutes)
      .route('/api/opened-modules', openedModuleRoutes)
      .route('/api/invitations', invitationRoutes)
      .route('/api/collections', collectionRoutes)
      .route('/api/steps', stepRoutes)
      .route('/api/step-reports', stepReportRoutes)
      .route('/api/versions', versionRoutes)
      .route('/api/recordings', recordingRoutes)
      .route('/api/transcript', transcriptRoutes)
      .route('/api/captions', captionRoutes)
      .route('/api/video-url', videoUrlRoutes)
      .route('/api/share', shareRoutes)
      .route('/api/share', linkQuestionRoutes)
      .route('/api/learning-metrics', learningRoutes)
      .route('/api/oembed', oembedRoutes)
      .route('/api/questions', questionRoutes)
      .route('/api/questions', answerRoutes)
      .route('/api/asked', askedRoutes)
      .route('/api/reprocess', reprocessRoutes)
      .route('/api/feedback', feedbackRoutes)
      .route('/api/ai', tutorRoutes)
      .route('/api/qa', qaRoutes)
      .route('/api/debug', debugRoutes)
      .route('/api/account', accountRoutes)
      .route('/api', uploadRoutes)
      .route('/share', sharePageRoutes)
      .route('/embed', embedRoutes)
      .route('/media', mediaRoutes)
      .route('/assets', assetRoutes)
      .route('/', pageRoutes)
  )
}

/** Routes about the people of an organization, and what they were trained on. */
function addTeamRoutes(app: Hono<AppEnv>): void {
  app
    .route('/api/assignments', assignmentRoutes)
    .route('/api/my', myRoutes)
    .route('/api/people', peopleRoutes)
    .route('/api/groups', groupRoutes)
    .route('/api/matrix', matrixRoutes)
    .route('/api/notifications', notificationRoutes)
    .route('/api/sign-off', signOffRoutes)
    .route('/api/records', recordRoutes)
}

/**
 * The entrypoint with the edge's cache in front of it (`exports` in wrangler.toml). Only this worker's own entry calls
 * it, so that what is cached was asked for without anything of a visitor.
 * @param openCache the cache of that entrypoint; only it can purge it
 */
export function createSharePage(openCache: (ctx: ExecutionContext) => EdgeCache) {
  const origin = createShareOrigin()
  return class SharePage extends WorkerEntrypoint<Env> {
    override async fetch(request: Request): Promise<Response> {
      return origin.fetch(request, this.env, this.ctx)
    }

    purge(tags: readonly string[]): Promise<void> {
      return openCache(this.ctx).purge(tags)
    }
  }
}

/**
 * The entrypoint through which a drain spreads its tasks: each call is an invocation of its own, and may have six
 * connections open where all tasks in one invocation would have six in all.
 */
export function createTaskRunner(makeServices: MakeServices) {
  return class TaskRunner extends WorkerEntrypoint<Env> {
    runTasks(tasks: Task[]): Promise<void> {
      return runTasks(tasks, openServedContext(this.env, this.ctx, makeServices), TASK_HANDLERS)
    }
  }
}

/**
 * The entrypoint through which a sweep does its parts: each has the queries and the processor's time of an invocation of
 * its own.
 */
export function createSweepRunner(makeServices: MakeServices) {
  return class SweepRunner extends WorkerEntrypoint<Env> {
    sweepPart(part: SweptPart, requestId: string | undefined): Promise<PartDone> {
      const canMail = makeServices(this.env).mailer !== null
      const context = Object.assign(openBoundedContext(this.env), { canMail })
      return withTrace({ requestId }, () => sweepPart(part, context))
    }
  }
}

/**
 * The entrypoint in which one question is answered: an invocation of its own, so that neither the work nor the
 * connection to the model is the room's, which has one thread and six connections for all of its module.
 */
export function createTutorRunner(makeServices: MakeServices) {
  return class TutorRunner extends WorkerEntrypoint<Env> {
    answer(turn: Turn, listener: AnswerListener): Promise<AnsweredTurn> {
      const context = openServedContext(this.env, this.ctx, makeServices)
      const { requestId, moduleId } = turn
      const answered = withTrace({ requestId, moduleId }, () => answerTurn(context, turn, listener))
      // When the room dies, what was said is still to be kept and the model to be stopped.
      this.ctx.waitUntil(answered.catch(() => undefined))
      return answered
    }
  }
}
