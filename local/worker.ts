import { clerkStandIn } from '#local/clerk/clerk-stand-in.ts'
import { configuredAlerts } from '#worker/adapters/configured-alerts.ts'
import { createSweepRunner, createTaskRunner, createTutorRunner, createWorker } from '#worker/create-worker.ts'
import { listOrigins } from '#worker/http/headers.ts'
import { createEdgedSharePage, EdgeCacheStandIn } from './edge/edge-cache.ts'
import { answerLater } from './edge/later-clock.ts'
import { answerReceived } from './edge/receive-body.ts'
import { type LocalEnv, localServices } from './local-services.ts'
import { MAIL_PATH, mailPage } from './mail/mail-stand-in.ts'

export { CallPacer } from '#worker/objects/call-pacer.ts'
export { ModuleRoom } from '#worker/objects/module-room.ts'

export const TaskRunner = createTaskRunner(localServices)

export const SweepRunner = createSweepRunner(localServices)

export const TutorRunner = createTutorRunner(localServices)

const edge = new EdgeCacheStandIn(() => Date.now())

export const SharePage = createEdgedSharePage(edge)

const worker = createWorker(localServices, configuredAlerts)

/** What the start command sets beside what the product knows. */
interface StartedEnv extends LocalEnv {
  /** Of the Clerk stand-in: `required` or, as everything else counts, `optional`. */
  CLERK_MEMBERSHIP?: string
}

/** The worker of a machine without any account: the product itself, with the stand-ins for Clerk and mail beside it. */
export default {
  ...worker,
  fetch(incomingRequest: Request, env: StartedEnv, ctx: ExecutionContext) {
    const answer = (request: Request) => {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith(MAIL_PATH)) return mailPage(env.DB).fetch(request, env, ctx)
      if (!pathname.startsWith('/__clerk/')) return worker.fetch(request, env, ctx)
      const [origin = ''] = listOrigins(env)
      const isMembershipRequired = env.CLERK_MEMBERSHIP === 'required'
      return clerkStandIn({ db: env.DB, assets: env.ASSETS, origin, isMembershipRequired }).fetch(request, env, ctx)
    }
    return answerReceived(incomingRequest, (request) => answerLater(request, () => answer(request)))
  },
} satisfies ExportedHandler<StartedEnv>
