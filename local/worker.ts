import { clerkStandIn } from '#local/clerk/clerk-stand-in.ts'
import { createTaskRunner, createTutorRunner, createWorker } from '#worker/create-worker.ts'
import { listOrigins } from '#worker/http/headers.ts'
import { createEdgedSharePage, EdgeCacheStandIn } from './edge/edge-cache.ts'
import { answerReceived } from './edge/receive-body.ts'
import { localServices } from './local-services.ts'

export { SweepRunner } from '#worker/create-worker.ts'
export { CallPacer } from '#worker/objects/call-pacer.ts'
export { ModuleRoom } from '#worker/objects/module-room.ts'

export const TaskRunner = createTaskRunner(localServices)

export const TutorRunner = createTutorRunner(localServices)

const edge = new EdgeCacheStandIn(() => Date.now())

export const SharePage = createEdgedSharePage(edge)

const worker = createWorker(localServices)

/** The worker of a machine without any account: the product itself, with the Clerk stand-in beside it. */
export default {
  ...worker,
  fetch(asked: Request, env: Env, ctx: ExecutionContext) {
    return answerReceived(asked, (request) => {
      if (!new URL(request.url).pathname.startsWith('/__clerk/')) return worker.fetch(request, env, ctx)
      const [origin = ''] = listOrigins(env)
      return clerkStandIn({ db: env.DB, assets: env.ASSETS, origin }).fetch(request, env, ctx)
    })
  },
} satisfies ExportedHandler<Env>
