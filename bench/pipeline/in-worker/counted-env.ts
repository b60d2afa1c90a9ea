import { intercept, type Method, meteredD1 } from '#worker/pipeline/testing/metered-d1.ts'
import { tally } from './tally.ts'

/** The same bindings, with every statement, operation and message counted. */
export function countedEnv(env: Env): Env {
  const queues = Object.entries(env).filter(([, binding]) => isQueue(binding))
  return {
    ...env,
    DB: meteredD1(env.DB, () => tally.d1),
    MEDIA: countedR2(env.MEDIA),
    ...Object.fromEntries(queues.map(([name, queue]) => [name, countedQueue(queue)])),
  }
}

function isQueue(binding: unknown): binding is Queue {
  return typeof binding === 'object' && binding !== null && 'sendBatch' in binding
}

function countedQueue(queue: Queue): Queue {
  return intercept(queue, {
    send: (send, ...args) => {
      tally.queueMessages++
      return send(...args)
    },
    sendBatch: (sendBatch, ...args) => {
      tally.queueMessages += [...(args[0] as Iterable<unknown>)].length
      return sendBatch(...args)
    },
  })
}

const R2_METHODS = ['get', 'put', 'head', 'delete', 'list', 'createMultipartUpload', 'resumeMultipartUpload']

function countedR2(bucket: R2Bucket): R2Bucket {
  const counted: Method = (call, ...args) => {
    tally.r2Operations++
    return call(...args)
  }
  return intercept(bucket, Object.fromEntries(R2_METHODS.map((name) => [name, counted])))
}
