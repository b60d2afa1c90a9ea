import { cloudServices, workersCache } from '#worker/adapters/cloud-services.ts'
import { configuredAlerts } from '#worker/adapters/configured-alerts.ts'
import { createSharePage, createTaskRunner, createTutorRunner, createWorker } from '#worker/create-worker.ts'

export { SweepRunner } from '#worker/create-worker.ts'
export { CallPacer } from '#worker/objects/call-pacer.ts'
export { ModuleRoom } from '#worker/objects/module-room.ts'

export const TaskRunner = createTaskRunner(cloudServices)

export const TutorRunner = createTutorRunner(cloudServices)

export const SharePage = createSharePage((ctx) => workersCache(ctx.cache))

export default createWorker(cloudServices, configuredAlerts)
