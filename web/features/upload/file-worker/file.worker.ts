import { type FileTask, type FromWorker, MAX_WAITING, type ToWorker } from './messages.ts'

/** Everything that reads a picked file runs here: on the page's own thread it would freeze for seconds. */
let waiting = 0
let resume: (() => void) | null = null

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('task' in data) return void perform(data.task)
  waiting--
  resume?.()
})

async function perform(task: FileTask): Promise<void> {
  try {
    await (await loadTask(task))(bring)
    post({ done: true })
  } catch (error) {
    post({ failed: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
  }
}

type Bring = (answer: unknown, transfer?: Transferable[]) => Promise<void>

/** Each task brings its own code, so that none waits for that of another. */
async function loadTask(task: FileTask): Promise<(bring: Bring) => Promise<void>> {
  if (task.kind === 'audio') {
    const { cutAudio } = await import('../audio/cut-audio.ts')
    return (bring) => cutAudio(task, bring)
  }
  if (task.kind === 'images') {
    const { drawImages } = await import('../images/draw-images.ts')
    return (bring) => drawImages(task, bring)
  }
  if (task.kind === 'convert') {
    const { convertVideo } = await import('../convert/convert-video.ts')
    return (bring) => convertVideo(task, bring)
  }
  const { inspectFile } = await import('./inspect-file.ts')
  return async (bring) => bring(await inspectFile(task.file))
}

/** Hands an answer to the page; settles when there is room for another. */
async function bring(answer: unknown, transfer: Transferable[] = []): Promise<void> {
  waiting++
  post({ answer }, transfer)
  while (waiting >= MAX_WAITING) await new Promise<void>((resolve) => (resume = resolve))
}

function post(message: FromWorker<unknown>, transfer: Transferable[] = []): void {
  self.postMessage(message, { transfer })
}
