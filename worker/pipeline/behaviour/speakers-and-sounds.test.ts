// Behaviour: who speaks and what is heard stay in captions, and out of what is written from them.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { StepsAnswer } from '#contract/step.ts'
import { CaptionsAnswer, CorrectionAnswer, TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf } from '#local/testing/api.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { cutPassages } from '#worker/domain/search/index-module.ts'
import { readTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { indexOf, loadIndex } from '#worker/domain/tutor/answer-turn.ts'
import { openDriver, seedRun } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const as = 'user_owner'
const CUES = [
  '[machine humming]',
  '<v Ada Example>First, unplug the press and wait a minute.',
  '<v Ada Example>(water runs) Then open the cover and take the old roller out.',
  '♪ soft music ♪',
  '<v Ben Muster>Next, press [Enter] and wipe the rails with a dry cloth.',
  '<v Ada Example>Finally, close the cover and plug the press in. [applause]',
]
const VTT = `WEBVTT\n\n${CUES.map((text, at) => `00:${String(at * 5).padStart(2, '0')}.000 --> 00:${String(at * 5 + 5).padStart(2, '0')}.000\n${text}\n`).join('\n')}`

describe('captions with speakers and sounds', () => {
  it('have them in the transcript, and neither in steps nor for the tutor', async () => {
    const driver = openDriver()
    const { moduleId } = await seedRun(30_000, { userId: as })
    const headers = { 'content-type': 'text/vtt' }
    await answerOf(CaptionsAnswer, `/api/captions/${moduleId}`, { as, method: 'PUT', body: VTT, headers })
    await driver.drain()
    const read = () => answerOf(TranscriptAnswer, `/api/transcript/${moduleId}`, { as })
    const { segments } = await read()
    expect(segments.map(({ speaker, text }) => [speaker, text])).toEqual(
      CUES.map((cue) => [/<v (.*?)>/.exec(cue)?.[1], cue.replace(/<.*?>/, '')]),
    )
    const { steps } = await answerOf(StepsAnswer, `/api/steps/${moduleId}`, { as })
    const written = JSON.stringify(steps)
    expect(written).toMatch(/unplug the press/)
    expect(written).toMatch(/press \[Enter\]/)
    expect(written).not.toMatch(/Example|Muster|humming|water runs|soft music|applause/)

    const context = { db: openDb(env.DB), bucket: env.MEDIA, nowMs: () => Date.now() }
    const module = await findModule(context.db, moduleId)
    if (module === null) throw new Error('the module is gone')
    const index = await loadIndex(context, indexOf(module, 'owner'))
    expect(index.segments.map(({ text }) => text)).not.toContainEqual(
      expect.stringMatching(/Example|humming|water runs|music/),
    )
    const [passage] = cutPassages([], (await readTranscript(context, module)).segments)
    expect(passage?.said[1]).toEqual([5_000, `Ada Example: ${segments[1]?.text ?? ''}`])

    const line = segments[1]
    const edits = [{ id: line?.id ?? '', text: 'First, unplug the press.' }]
    await answerOf(CorrectionAnswer, `/api/transcript/${moduleId}`, { as, method: 'PATCH', json: { edits } })
    expect((await read()).segments[1]).toMatchObject({ speaker: 'Ada Example', text: 'First, unplug the press.' })
  })
})
