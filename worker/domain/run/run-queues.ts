import { currentTrace } from '#worker/log/trace.ts'
import type { RunId } from './run-store.ts'

/** What every message says beside its ids, for the log: which request it goes back to. */
interface Traced {
  requestId?: string | undefined
}

/** A message that asks for work on a run. Ids only: the job reads everything else from the database. */
export interface IngestMessage extends RunId, Traced {
  kind: 'ingest'
}

/** Asks for one part to be heard. */
export interface SpeechMessage extends RunId, Traced {
  kind: 'speech'
  part: number
}

/** Asks for the steps of one stretch. */
export interface StepsMessage extends RunId, Traced {
  kind: 'steps'
  stretch: number
}

/** Where work on runs is asked for: one queue each, so that none holds up another. */
export interface RunQueues {
  ingest: Pick<Queue<IngestMessage>, 'send'>
  speech: Pick<Queue<SpeechMessage>, 'send' | 'sendBatch'>
  steps: Pick<Queue<StepsMessage>, 'send' | 'sendBatch'>
}

/** The queues of a worker. */
export function openRunQueues(env: Pick<Env, 'INGEST_QUEUE' | 'SPEECH_QUEUE' | 'STEPS_QUEUE'>): RunQueues {
  return { ingest: traced(env.INGEST_QUEUE), speech: traced(env.SPEECH_QUEUE), steps: traced(env.STEPS_QUEUE) }
}

/** Messages carry on the id of the request that they are sent in. */
function traced<Message extends Traced>(queue: Queue<Message>): Pick<Queue<Message>, 'send' | 'sendBatch'> {
  const sign = (message: Message): Message => ({ ...currentTraceId(), ...message })
  return {
    send: (message, options) => queue.send(sign(message), options),
    sendBatch: (requests, options) =>
      queue.sendBatch(
        Array.from(requests, (request) => ({ ...request, body: sign(request.body) })),
        options,
      ),
  }
}

function currentTraceId(): Traced {
  const { requestId } = currentTrace()
  return requestId === undefined ? {} : { requestId }
}

/** What Queues take in one call. */
const SEND_BATCH_MAX = 100

/** Sends any number of messages, in as few calls as may be. */
export async function sendAll<Message>(queue: Pick<Queue<Message>, 'sendBatch'>, messages: Message[]): Promise<void> {
  for (let at = 0; at < messages.length; at += SEND_BATCH_MAX) {
    await queue.sendBatch(messages.slice(at, at + SEND_BATCH_MAX).map((body) => ({ body })))
  }
}
