import { cloudServices } from '#worker/adapters/cloud-services.ts'
import { createWorker } from '#worker/create-worker.ts'

export { ModuleRoom } from '#worker/objects/module-room.ts'

export default createWorker(cloudServices)
