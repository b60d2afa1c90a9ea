import type { RunId } from './run-store.ts'

/** A message that asks for work on a run. Ids only: the job reads everything else from the database. */
export interface IngestMessage extends RunId {
  kind: 'ingest'
}

/** Asks for one part to be heard. */
export interface SpeechMessage extends RunId {
  kind: 'speech'
  part: number
}

/** Asks for the steps of one stretch. */
export interface StepsMessage extends RunId {
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
  return { ingest: env.INGEST_QUEUE, speech: env.SPEECH_QUEUE, steps: env.STEPS_QUEUE }
}

/** What Queues take in one call. */
const SEND_BATCH_MAX = 100

/** Sends any number of messages, in as few calls as may be. */
export async function sendAll<Message>(queue: Pick<Queue<Message>, 'sendBatch'>, messages: Message[]): Promise<void> {
  for (let at = 0; at < messages.length; at += SEND_BATCH_MAX) {
    await queue.sendBatch(messages.slice(at, at + SEND_BATCH_MAX).map((body) => ({ body })))
  }
}
