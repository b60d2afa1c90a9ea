import { cloudServices } from '#worker/adapters/cloud-services.ts'
import { workersCache } from '#worker/adapters/workers-cache.ts'
import { createSharePage } from '#worker/create-share-page.ts'
import { createTaskRunner } from '#worker/create-task-runner.ts'
import { createTutorRunner } from '#worker/create-tutor-runner.ts'
import { createWorker } from '#worker/create-worker.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

export const TaskRunner = createTaskRunner(cloudServices)

export const TutorRunner = createTutorRunner(cloudServices)

export const SharePage = createSharePage((ctx) => workersCache(ctx.cache))

export default createWorker(cloudServices)
