import { describe, expect, it } from 'vitest'
import { type FromWorker, NOTHING_FOUND, type ToWorker } from './messages.ts'
import { describeFault, type FileWorker, runFileTask } from './run-file-task.ts'

const TASK = { kind: 'inspect', file: new Blob(['x']) } as const

/** A worker that the test plays. */
function fakeWorker() {
  const target = new EventTarget()
  const sent: ToWorker[] = []
  const state = { isEnded: false }
  const worker: FileWorker = {
    addEventListener: target.addEventListener.bind(target) as FileWorker['addEventListener'],
    postMessage: (message: ToWorker) => void sent.push(message),
    terminate: () => {
      state.isEnded = true
    },
  }
  const say = (data: FromWorker<unknown>) => target.dispatchEvent(new MessageEvent('message', { data }))
  const crash = (message: string) => target.dispatchEvent(new ErrorEvent('error', { message }))
  return { openWorker: () => worker, sent, state, say, crash }
}

describe('runFileTask', () => {
  it('gives the answers in their order, notes each that was taken, and ends the worker', async () => {
    const { openWorker, sent, state, say } = fakeWorker()
    const answers = runFileTask(TASK, { openWorker })
    const first = answers.next()
    say({ answer: 1 })
    say({ answer: 2 })
    expect((await first).value).toBe(1)
    expect(sent).toEqual([{ task: TASK }])
    expect((await answers.next()).value).toBe(2)
    expect(sent).toEqual([{ task: TASK }, { taken: true }])
    say({ done: true })
    expect((await answers.next()).done).toBe(true)
    expect(state.isEnded).toBe(true)
  })

  it('fails as the worker fails', async () => {
    const { openWorker, state, say } = fakeWorker()
    const answer = runFileTask(TASK, { openWorker }).next()
    say({ failed: { name: 'MediaFault', message: 'broken' } })
    await expect(answer).rejects.toThrow(expect.objectContaining({ name: 'MediaFault', message: 'broken' }))
    expect(state.isEnded).toBe(true)
  })

  it('fails when the worker crashes, and never waits for it again', async () => {
    const { openWorker, state, crash } = fakeWorker()
    const answer = runFileTask(TASK, { openWorker }).next()
    crash('out of memory')
    await expect(answer).rejects.toThrow('out of memory')
    expect(state.isEnded).toBe(true)
  })

  it('ends the worker at once when it is aborted', async () => {
    const { openWorker, state } = fakeWorker()
    const stop = new AbortController()
    const answer = runFileTask(TASK, { openWorker, signal: stop.signal }).next()
    stop.abort(new Error('Cancelled'))
    await expect(answer).rejects.toThrow('Cancelled')
    expect(state.isEnded).toBe(true)
  })

  it('ends the worker when its consumer stops iterating', async () => {
    const { openWorker, state, say } = fakeWorker()
    const answers = runFileTask(TASK, { openWorker })
    const first = answers.next()
    say({ answer: 1 })
    await first
    await answers.return()
    expect(state.isEnded).toBe(true)
  })
})

describe('describeFault', () => {
  const transport = { ...NOTHING_FOUND, container: 'MPEG-TS' }
  const dolby = { ...NOTHING_FOUND, audioCodec: 'AC3' }
  const conversion = { keepsAudio: false, hasRoom: true }

  it('offers to convert what the server cannot read and this browser can', () => {
    expect(describeFault('foreign_container', { ...transport, conversion }, 1)).toEqual({
      title: 'Adapt cannot read MPEG-TS files',
      whatToDo: 'Convert it here in your browser, then it can be sent.',
      canBeSent: false,
      canBeConverted: true,
    })
    const { whatToDo } = describeFault('unsupported_audio', { ...dolby, conversion }, 1)
    expect(whatToDo).toMatch(/^Convert it here in your browser, or add a caption file/)
  })

  it('says what else helps where it cannot, or has no room', () => {
    expect(describeFault('foreign_container', transport, 1)).not.toHaveProperty('canBeConverted')
    expect(describeFault('foreign_container', transport, 1).whatToDo).toMatch(/^Export it as MP4/)
    expect(describeFault('unsupported_audio', dolby, 1).whatToDo).toMatch(/^Export it with AAC or Opus audio/)
    const full = { ...conversion, hasRoom: false }
    for (const [fault, found] of [['foreign_container', transport] as const, ['unsupported_audio', dolby] as const]) {
      const problem = describeFault(fault, { ...found, conversion: full }, 3 * 1024 ** 2)
      expect(problem.whatToDo).toContain('no room to convert it, which takes about 3.0 MB')
      expect(problem).not.toHaveProperty('canBeConverted')
    }
  })
})
