import { describe, expect, it, vi } from 'vitest'
import { ANSWERS, fakeUploads, makeUpload, makeVideo } from './testing/fake-uploads.ts'

const PREVIEW = 'POST /api/captions?durationMs=9000'
const makeCaptions = (name: string) => new File(['WEBVTT'], name)

/** A video that waits, for its captions are to be looked at. */
async function openWaiting() {
  const report = { success: true, cues: 2, repairCount: 1, repairs: [{ line: 4, code: 'time_guessed' }] }
  const uploads = fakeUploads({ ...ANSWERS, [PREVIEW]: () => ({ ...report }) })
  uploads.manager.addFiles([makeVideo(), makeCaptions('odd.vtt')])
  const { check } = uploads.manager.gate
  await vi.waitFor(() => expect(check.getState()?.report?.repairCount).toBe(1))
  return { ...uploads, check, report }
}

describe('a video that waits for its captions', () => {
  it('stays in the list when other captions are chosen, and goes with these', async () => {
    const { manager, item, state, storage, report } = await openWaiting()
    report.repairCount = 0
    manager.addFiles([makeCaptions('mended.vtt')])
    await vi.waitFor(() => expect(storage.puts).toHaveLength(1))
    expect(item()?.name).toBe('talk.mp4')
    expect(state()?.kind).toBe('sending')
  })

  it('does not begin any more once another upload has taken its place', async () => {
    const { manager, item, storage } = await openWaiting()
    manager.finish(makeUpload())
    await vi.waitFor(() => expect(item()?.state.kind).toBe('done'))
    expect([manager.isBusy, manager.gate.isHolding, storage.puts]).toEqual([false, false, []])
  })

  it('is forgotten with everything else', async () => {
    const { manager, check, storage } = await openWaiting()
    manager.stop()
    check.accept()
    expect([manager.gate.isHolding, check.getState(), storage.puts]).toEqual([false, null, []])
  })
})
