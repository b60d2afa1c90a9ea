import { cloudServices } from '#worker/adapters/cloud-services.ts'
import { createJobRunner } from '#worker/create-job-runner.ts'
import { createWorker } from '#worker/create-worker.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

export const JobRunner = createJobRunner(cloudServices)

export default createWorker(cloudServices)
