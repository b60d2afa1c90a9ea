import { cloudServices, workersCache } from '#worker/adapters/cloud-services.ts'
import { configuredAlerts } from '#worker/adapters/configured-alerts.ts'
import {
  createSharePage,
  createSweepRunner,
  createTaskRunner,
  createTutorRunner,
  createWorker,
} from '#worker/create-worker.ts'

export { CallPacer } from '#worker/objects/call-pacer.ts'
export { ModuleRoom } from '#worker/objects/module-room.ts'

export const TaskRunner = createTaskRunner(cloudServices)

export const SweepRunner = createSweepRunner(cloudServices)

export const TutorRunner = createTutorRunner(cloudServices)

export const SharePage = createSharePage((ctx) => workersCache(ctx.cache))

export default createWorker(cloudServices, configuredAlerts)
