import type { FileAnswers, FileTask, FromWorker, ToWorker } from './messages.ts'

/** The part of a `Worker` that is used here. */
export type FileWorker = Pick<Worker, 'postMessage' | 'addEventListener' | 'terminate'>

interface RunOptions {
  signal?: AbortSignal | undefined
  openWorker?: () => FileWorker
}

/**
 * Runs a task in a web worker of its own, which ends with it, with the signal, or when the consumer stops iterating.
 * The worker pauses while too many of its answers are unread.
 * @throws when the worker fails or cannot be started; the signal's reason when it aborts
 */
export async function* runFileTask<Task extends FileTask>(
  task: Task,
  { signal, openWorker = openFileWorker }: RunOptions = {},
): AsyncGenerator<FileAnswers[Task['kind']], void> {
  signal?.throwIfAborted()
  const worker = openWorker()
  const inbox = openInbox<FromWorker<FileAnswers[Task['kind']]>>()
  const onAbort = () => {
    // At once, because a caller that aborts may never ask for another answer.
    worker.terminate()
    inbox.fail(signal?.reason)
  }
  worker.addEventListener('message', ({ data }) => inbox.add(data))
  worker.addEventListener('error', ({ message }) => inbox.fail(new Error(message || 'The file worker did not start')))
  worker.addEventListener('messageerror', () => inbox.fail(new Error('The file worker sent what cannot be read')))
  signal?.addEventListener('abort', onAbort)
  const send = (message: ToWorker) => worker.postMessage(message)
  try {
    send({ task })
    for (;;) {
      const message = await inbox.take()
      if ('done' in message) return
      if ('failed' in message) throw new Error(message.failed)
      yield message.answer
      send({ taken: true })
    }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    worker.terminate()
  }
}

function openFileWorker(): FileWorker {
  return new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module', name: 'file' })
}

/** Messages in their order, for one reader. */
function openInbox<Message>() {
  const messages: Message[] = []
  let failure: { reason: unknown } | null = null
  let wake: (() => void) | null = null
  return {
    add: (message: Message) => {
      messages.push(message)
      wake?.()
    },
    fail: (reason: unknown) => {
      failure ??= { reason }
      wake?.()
    },
    take: async (): Promise<Message> => {
      for (;;) {
        if (failure !== null) throw failure.reason
        const message = messages.shift()
        if (message !== undefined) return message
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
